#pragma once
// PTX text as a list of what it defines and declares, for passes that join modules before they are parsed.
#include <map>
#include <string>
#include <vector>

namespace dojo::compile_detail {

/// A function, a declaration of one, or a variable, with the text from its first directive to its end.
struct PtxItem {
  enum Kind { function, declaration, variable } kind = function;
  std::string name, text;
};

struct PtxText {
  std::string head;  ///< .version, .target, .address_size
  std::vector<PtxItem> items;
  std::map<int, std::string> files;  ///< as in .file, folder included
};

/// Debug sections are left out.
PtxText read_ptx_text(const std::string& ptx);

/// May stand in a name of PTX.
bool ptx_word_char(char c);

/// Replaces whole words by `renamed`.
template <class Renamed>
std::string rename_words(const std::string& text, Renamed renamed) {
  std::string out;
  for (size_t i = 0; i < text.size();) {
    if (!ptx_word_char(text[i])) {
      out += text[i++];
      continue;
    }
    size_t e = i;
    while (e < text.size() && ptx_word_char(text[e])) ++e;
    out += renamed(text.substr(i, e - i));
    i = e;
  }
  return out;
}

/// Line marks with another table's numbers; those of files that it lacks are dropped.
std::string renumber_lines(const std::string& text, const std::map<int, int>& files);

}  // namespace dojo::compile_detail
