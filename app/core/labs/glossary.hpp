#pragma once
// The words of the labs with their meanings: labs/glossary.toml. One file serves the window, the command line
// and docs/glossary.md.
#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace dojo {

struct Term {
  std::string name, text;
  std::vector<std::string> also, see;
};

class Glossary {
 public:
  Glossary() = default;
  /// ROOT/labs/glossary.toml; empty when there is none. Throws Error naming file and line.
  static Glossary load(const std::filesystem::path& root);
  const std::vector<Term>& terms() const { return terms_; }  ///< by name
  /// By name or another form, in any case; null when there is none.
  const Term* find(const std::string& word) const;
  /// A stretch of a text that names a term.
  struct Mark {
    size_t from = 0, to = 0;
    const Term* term = nullptr;
  };
  /// The terms in a text, whole words only, the longest that fits at each place.
  std::vector<Mark> marks(const std::string& text) const;
  /// The page docs/glossary.md.
  std::string markdown() const;

 private:
  void add_forms();
  std::vector<Term> terms_;
  std::map<std::string, size_t> forms_;  ///< in lower case
  size_t longest_ = 0;                   ///< words of the longest form
};

}  // namespace dojo
