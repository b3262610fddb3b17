#include "text_rules.hpp"

#include <array>
#include <cmath>
#include <cstdlib>
#include <regex>
#include <set>
#include <sstream>

namespace dojo::test {
namespace {

constexpr int most_words = 22;

const char* const wrong_word_patterns[] = {
    R"(\bmultiprocessors?\b)",
    R"(\bon (its|their) way\b)",
    R"(\bin turn\b)",
    R"(\b(take|takes|taking) turns\b)",
    R"(\bin a row\b)",
    R"(\bside by side\b)",
    R"(\bneighbou?r(s|ing)?\b)",
    R"(\bmend(s|ed|ing)?\b)",
    R"(\b(thrice|shall|whereof)\b)",
    R"(\b(for ever|whence|hence|thereby|upon|amidst|betwixt|ought)\b)",
    R"(\b(somebody|someone|nobody|everybody|everyone|whoever)\b)",
    R"(\b(loads?|stores?|requests?|sectors?|bytes|words?|elements?|floats?|threads?|blocks?|warps?)"
    R"(|wavefronts?|lanes?|outputs?|inputs?|semaphores?|instructions?|barriers?|launches)"
    R"(|atomics?|registers?|cycles?|allocations?|posts?|multiply-adds?)"
    R"(|operations?|numbers?|sums|tiles?|rounds?|conflicts?|additions?|products?|copies|copy))"
    R"( an? (thread|block|warp|lane|sm|row|column|element|output|product|request)"
    R"(|load|store|step|byte|launch|instruction|word|bank|pair|wavefront|access|cycle|round|stage)"
    R"(|kernel|call|box|query|key|token|head|image)\b)",
};

std::string lower(std::string s) {
  for (char& c : s) c = char(std::tolower(static_cast<unsigned char>(c)));
  return s;
}

bool is_number(const std::string& s, double& value) {
  char* end = nullptr;
  value = std::strtod(s.c_str(), &end);
  return !s.empty() && *end == 0 && std::isfinite(value);
}

/// Numbers so frequent in code and drawings that they give nothing away by themselves.
bool common(double v) {
  static const std::set<double> powers = {16, 32, 64, 128, 256, 512, 1024};
  return (v == std::floor(v) && v < 10) || powers.contains(v);
}

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  static const std::regex word(R"([A-Za-z]+|[0-9]+(?:[.,][0-9]+)*)");
  for (std::sregex_iterator at(text.begin(), text.end(), word), end; at != end; ++at)
    words.push_back(lower(at->str()));
  return words;
}

std::string singular(std::string w) {
  if (w.size() > 3 && w.back() == 's') w.pop_back();
  return w;
}

/// What a question counts: the words after "how many".
std::set<std::string> counted(const std::string& question) {
  const std::vector<std::string> words = words_of(question);
  static const std::set<std::string> idle = {"of",  "the", "a",    "an",   "does", "do", "is",
                                             "are", "to",  "does", "take", "one",  "in", "each"};
  std::set<std::string> nouns;
  for (size_t i = 0; i + 1 < words.size(); ++i)
    if (words[i] == "how" && words[i + 1] == "many")
      for (size_t j = i + 2; j < std::min(words.size(), i + 5); ++j) {
        if (idle.contains(words[j])) break;
        nouns.insert(singular(words[j]));
      }
  return nouns;
}

}  // namespace

std::string prose(const std::string& markdown) {
  std::istringstream in(markdown);
  std::string out, line;
  bool fenced = false;
  while (std::getline(in, line)) {
    if (line.starts_with("```")) {
      fenced = !fenced;
      out += ".\n";
      continue;
    }
    if (fenced || line.starts_with("#")) continue;
    if (line.starts_with("|")) {
      out += ".\n";
      continue;
    }
    // A list item and a new paragraph begin a sentence.
    if (line.empty() || line.starts_with("- ") || std::regex_search(line, std::regex("^[0-9]+[.)] ")))
      out += ".\n";
    out += line + "\n";
  }
  out = std::regex_replace(out, std::regex(R"(\{\{[^}]*\}\})"), "0");
  out = std::regex_replace(out, std::regex("`[^`]*`"), "code");
  return out;
}

std::vector<std::string> long_sentences(const std::string& prose) {
  std::vector<std::string> out;
  std::string sentence;
  auto end = [&] {
    std::istringstream in(sentence);
    std::string word, text;
    int words = 0;
    while (in >> word) {
      text += (text.empty() ? "" : " ") + word;
      words += std::any_of(word.begin(), word.end(),
                           [](char c) { return std::isalnum(static_cast<unsigned char>(c)); });
    }
    if (words > most_words) out.push_back(text);
    sentence.clear();
  };
  for (size_t i = 0; i < prose.size(); ++i) {
    const char c = prose[i];
    sentence += c;
    const bool last = i + 1 == prose.size() || std::isspace(static_cast<unsigned char>(prose[i + 1]));
    if ((c == '.' || c == '?' || c == '!' || c == ':' || c == ';') && last) end();
  }
  end();
  return out;
}

std::vector<std::string> wrong_words(const std::string& prose) {
  std::vector<std::string> out;
  const std::string one_line = std::regex_replace(prose, std::regex("\\s+"), " ");
  for (const char* pattern : wrong_word_patterns) {
    const std::regex wrong(pattern, std::regex::icase);
    for (std::sregex_iterator at(one_line.begin(), one_line.end(), wrong), end; at != end; ++at)
      out.push_back(at->str());
  }
  return out;
}

std::string wrong_frame(const std::string& brief, int number) {
  std::istringstream in(brief);
  std::string line, last_paragraph, before;
  int heads = 0, imperatives = 0;
  bool fenced = false, first = true;
  while (std::getline(in, line)) {
    if (first && !std::regex_search(line, std::regex("^# " + std::to_string(number) + "[a-z]?\\. [A-Z0-9`]")))
      return "the first line is not \"# " + std::to_string(number) + ". Title\": " + line;
    first = false;
    if (line.starts_with("```")) fenced = !fenced;
    heads += !fenced && line.starts_with("#");
    imperatives += line.starts_with("**To do:**");
    if (!line.empty() && before.empty()) last_paragraph = line;
    before = line;
  }
  if (heads != 1) return "a step's brief has one heading";
  if (imperatives != 1) return "a step's brief has one \"**To do:**\"";
  if (!last_paragraph.starts_with("**To do:**")) return "the last paragraph is not the one to do";
  return {};
}

bool tells_answer(const std::string& text, const std::string& question, const std::string& answer) {
  const std::string shown = std::regex_replace(text, std::regex(R"(\{\{[^}]*\}\})"), " ");
  double value = 0;
  if (!is_number(answer, value))
    return answer.size() >= 6 &&
           lower(std::regex_replace(shown, std::regex("\\s+"), " ")).find(lower(answer)) != std::string::npos;
  static const std::array<const char*, 13> names = {"zero", "one",    "two",   "three", "four",
                                                    "five", "six",    "seven", "eight", "nine",
                                                    "ten",  "eleven", "twelve"};
  const std::set<std::string> nouns = counted(question);
  const std::vector<std::string> words = words_of(shown);
  for (size_t i = 0; i < words.size(); ++i) {
    std::string plain = words[i];
    std::erase(plain, ',');
    double found = 0;
    const bool named =
        value >= 0 && value <= 12 && value == std::floor(value) && words[i] == names[size_t(value)];
    if (!named && (!is_number(plain, found) || found != value)) continue;
    if (!common(value) && !named) return true;
    for (size_t j = i + 1; j < std::min(words.size(), i + 4); ++j)
      if (nouns.contains(singular(words[j]))) return true;
  }
  return false;
}

}  // namespace dojo::test
