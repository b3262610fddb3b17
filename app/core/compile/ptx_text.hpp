#pragma once
// PTX text as a list of what it defines and declares, for passes that join modules before they are parsed.
#include <map>
#include <string>
#include <utility>
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

/// Splits text at the bounds of words, in order: `word` gets each whole word of PTX, `between` what lies
/// between two.
template <class Word, class Between>
void split_words(const std::string& text, Word word, Between between) {
  for (size_t i = 0; i < text.size();) {
    const bool in_word = ptx_word_char(text[i]);
    size_t e = i + 1;
    while (e < text.size() && ptx_word_char(text[e]) == in_word) ++e;
    if (in_word)
      word(text.substr(i, e - i));
    else
      between(text.substr(i, e - i));
    i = e;
  }
}

/// Replaces whole words by `renamed`.
template <class Renamed>
std::string rename_words(const std::string& text, Renamed renamed) {
  std::string out;
  split_words(
      text, [&](std::string word) { out += renamed(std::move(word)); },
      [&](const std::string& rest) { out += rest; });
  return out;
}

/// Line marks with another table's numbers; those of files that it lacks are dropped.
std::string renumber_lines(const std::string& text, const std::map<int, int>& files);

}  // namespace dojo::compile_detail
