#include "core/labs/glossary.hpp"

#include <algorithm>
#include <cctype>

#include "core/files/toml_file.hpp"
#include "core/text/word_char.hpp"

namespace dojo {
namespace {

std::string lower(std::string s) {
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

/// "grid-stride loop" as the anchor that Markdown pages make of a heading.
std::string anchor(const std::string& name) {
  std::string out;
  for (char c : lower(name))
    if (std::isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_')
      out += c;
    else if (c == ' ')
      out += '-';
  return out;
}

}  // namespace

Glossary Glossary::load(const std::filesystem::path& root) {
  const auto path = root / "labs" / "glossary.toml";
  Glossary g;
  std::error_code ec;
  if (!std::filesystem::exists(path, ec)) return g;
  const TomlFile file(path);
  file.only(file.root(), {"term"});
  for (const toml::table* one : file.tables(file.root(), "term")) {
    file.only(*one, {"name", "also", "text", "see"});
    Term term;
    file.read(*one, "name", term.name);
    file.read(*one, "text", term.text);
    file.read(*one, "also", term.also);
    file.read(*one, "see", term.see);
    if (term.name.empty() || term.text.empty()) file.refuse(one, "a term needs 'name' and 'text'");
    g.terms_.push_back(std::move(term));
  }
  std::sort(g.terms_.begin(), g.terms_.end(),
            [](const Term& a, const Term& b) { return lower(a.name) < lower(b.name); });
  g.add_forms();
  return g;
}

void Glossary::add_forms() {
  for (size_t i = 0; i < terms_.size(); ++i) {
    std::vector<std::string> forms = terms_[i].also;
    forms.push_back(terms_[i].name);
    for (const std::string& form : forms) {
      forms_.emplace(lower(form), i);
      longest_ = std::max(longest_, size_t(1 + std::count(form.begin(), form.end(), ' ')));
    }
  }
}

const Term* Glossary::find(const std::string& word) const {
  auto it = forms_.find(lower(word));
  return it == forms_.end() ? nullptr : &terms_[it->second];
}

std::vector<Glossary::Mark> Glossary::marks(const std::string& text) const {
  std::vector<Mark> out;
  const std::string low = lower(text);
  for (size_t at = 0; at < low.size();) {
    if (!is_word_char(low[at]) || (at > 0 && is_word_char(low[at - 1]))) {
      ++at;
      continue;
    }
    // Ends of words after `at`, as many as the longest form has; a hyphen may be inside a form or end a word.
    std::vector<size_t> ends;
    size_t words = 0;
    for (size_t k = at; k < low.size() && words < longest_; ++k) {
      if (!is_word_char(low[k]) && low[k] != ' ' && low[k] != '-') break;
      const bool end = is_word_char(low[k]) && (k + 1 == low.size() || !is_word_char(low[k + 1]));
      if (!end) continue;
      ends.push_back(k + 1);
      words += k + 1 == low.size() || low[k + 1] != '-';
    }
    size_t next = ends.empty() ? at + 1 : ends.front();
    for (size_t k = ends.size(); k-- > 0;) {
      auto it = forms_.find(low.substr(at, ends[k] - at));
      if (it == forms_.end()) continue;
      // "SM" in capitals is a term; "sm" in a name such as sm_90 is not.
      const std::string& name = terms_[it->second].name;
      const bool capitals = std::none_of(name.begin(), name.end(), [](char c) { return std::islower(c); });
      if (capitals && std::islower(text[at])) continue;
      out.push_back({at, ends[k], &terms_[it->second]});
      next = ends[k];
      break;
    }
    at = next;
  }
  return out;
}

std::string Glossary::markdown() const {
  std::string out =
      "# Glossary\n\nMade from labs/glossary.toml: `warpdojo glossary --markdown > docs/glossary.md`. The "
      "window "
      "shows these entries under the mouse, and as a page (Help, Glossary).\n";
  for (const Term& t : terms_) {
    out += "\n## " + t.name + "\n\n" + t.text + "\n";
    if (!t.see.empty()) {
      out += "See also: ";
      for (size_t k = 0; k < t.see.size(); ++k)
        out += (k ? ", [" : "[") + t.see[k] + "](#" + anchor(t.see[k]) + ")";
      out += ".\n";
    }
  }
  return out;
}

}  // namespace dojo
