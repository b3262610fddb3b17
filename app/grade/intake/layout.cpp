#include "grade/intake/layout.hpp"
#include "core/text/escape.hpp"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <regex>
#include <set>
#include <string_view>

namespace dojo::grade {
namespace {

/// The plain letters of U+00C0 to U+017F and of U+1E00 to U+1EFF, '.' for what has none.
constexpr std::string_view latin =
    "aaaaaa.ceeeeiiii.nooooo..uuuuy..aaaaaa.ceeeeiiii.nooooo..uuuuy.yaaaaaaccccccccdd..eeeeeeeeeegggg"
    "gggghh..iiiiiiiii...jjkk.llllll....nnnnnn...oooooo..rrrrrrsssssssstttt..uuuuuuuuuuuuwwyyyzzzzzz.";
constexpr std::string_view latin_additional =
    "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrrr"
    "ssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy......aaaaaaaaaaaaaaaaaaaaaaaaeeeeeeee"
    "eeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy......";

/// One character of UTF-8 at `at`, which moves behind it. What is no UTF-8 is a byte by itself.
char32_t next_character(const std::string& s, size_t& at) {
  const auto byte = [&](size_t i) { return i < s.size() ? static_cast<unsigned char>(s[i]) : 0u; };
  const unsigned c = byte(at);
  const size_t n = c >= 0xC2 && c < 0xE0 ? 2 : c >= 0xE0 && c < 0xF0 ? 3 : 1;
  char32_t code = n == 2 ? c & 0x1F : n == 3 ? c & 0x0F : c;
  for (size_t k = 1; k < n; ++k) {
    if ((byte(at + k) & 0xC0) != 0x80) {
      ++at;
      return c;
    }
    code = code << 6 | (byte(at + k) & 0x3F);
  }
  at += n;
  return code;
}

/// Letters without their marks, Hangul's letters joined into syllables. A file system may write "\u00e9" as
/// "e" and a mark (macOS does): one name must not be two students.
std::string plain_letters(const std::string& name) {
  std::string out;
  for (size_t at = 0; at < name.size();) {
    const size_t from = at;
    const char32_t c = next_character(name, at);
    if (c >= 0x300 && c < 0x370 && at - from == 2) continue;
    const char plain = at - from == 2 && c >= 0xC0 && c < 0x180      ? latin[c - 0xC0]
                       : at - from == 3 && c >= 0x1E00 && c < 0x1F00 ? latin_additional[c - 0x1E00]
                                                                     : '.';
    if (plain != '.') {
      out += plain;
      continue;
    }
    size_t behind = at;
    const char32_t vowel = c >= 0x1100 && c < 0x1113 ? next_character(name, behind) : 0;
    if (vowel < 0x1161 || vowel >= 0x1176) {
      out.append(name, from, at - from);
      continue;
    }
    char32_t syllable = 0xAC00 + ((c - 0x1100) * 21 + (vowel - 0x1161)) * 28;
    at = behind;
    const char32_t last = next_character(name, behind);
    if (last > 0x11A7 && last < 0x11C3) syllable += last - 0x11A7, at = behind;
    append_utf8(out, syllable);
  }
  return out;
}

std::string cut(std::string s) {
  while (!s.empty() && std::isspace(static_cast<unsigned char>(s.back()))) s.pop_back();
  s.erase(0, std::min(s.find_first_not_of(" \t"), s.size()));
  if (s.size() >= 2 && (s[0] == '"' || s[0] == '\'') && s.back() == s[0]) s = s.substr(1, s.size() - 2);
  return s;
}

std::string plain_stem(const std::string& file) { return plain_name(source_stem(file).value_or(file)); }

/// Without a "-7" at its end.
std::string without_number(const std::string& s) {
  const size_t dash = s.rfind('-');
  if (dash == std::string::npos || dash + 1 == s.size()) return s;
  const bool all =
      std::all_of(s.begin() + long(dash) + 1, s.end(), [](unsigned char c) { return std::isdigit(c); });
  return all ? s.substr(0, dash) : s;
}

}  // namespace

std::optional<NamedBySystem> by_canvas(const std::string& name) {
  static const std::regex form(R"(^([^_./\\]+)_(LATE_)?(\d+)_(\d+)_(.+)$)");
  std::smatch m;
  if (!std::regex_match(name, m, form)) return std::nullopt;
  return NamedBySystem{m[1], m[3], m[5], m[2].matched};
}

std::optional<NamedBySystem> by_moodle(const std::string& name) {
  static const std::regex form(R"(^(.+?)_(\d+)_assignsubmission_(?:file|onlinetext)_?(.*)$)");
  std::smatch m;
  if (!std::regex_match(name, m, form)) return std::nullopt;
  return NamedBySystem{m[1], m[2], m[3], false};
}

std::optional<std::string> by_gradescope(const std::string& name) {
  static const std::regex form(R"(^submission_(\d+)$)");
  std::smatch m;
  if (!std::regex_match(name, m, form)) return std::nullopt;
  return m[1].str();
}

std::vector<GradescopeEntry> read_gradescope(const std::string& yaml) {
  // The export has one shape: a key per submission without indent, Ruby's ":name:" keys below it. The results
  // and the history of the same submission come later and repeat the keys, deeper.
  std::vector<GradescopeEntry> all;
  bool submitters = false;
  size_t depth = 0;
  for (size_t at = 0; at < yaml.size();) {
    const size_t end = std::min(yaml.find('\n', at), yaml.size());
    const std::string line = yaml.substr(at, end - at);
    at = end + 1;
    const size_t indent = line.find_first_not_of(" -");
    if (indent == std::string::npos) continue;
    const std::string words = cut(line.substr(indent));
    if (line[0] != ' ' && line[0] != '-' && words.ends_with(":") &&
        by_gradescope(words.substr(0, words.size() - 1))) {
      all.push_back({words.substr(0, words.size() - 1), {}, {}});
      submitters = false;
      continue;
    }
    if (all.empty()) continue;
    if (words == ":submitters:") {
      submitters = true;
      depth = indent;
      continue;
    }
    const auto value = [&](const char* key) -> std::optional<std::string> {
      const std::string k = std::string(":") + key + ":";
      return words.rfind(k, 0) == 0 ? std::optional(cut(words.substr(k.size()))) : std::nullopt;
    };
    if (submitters && indent <= depth && line.find('-') != line.find_first_not_of(' ')) submitters = false;
    if (submitters) {
      if (const auto v = value("name")) all.back().submitters.push_back({*v, {}, {}});
      if (all.back().submitters.empty()) continue;
      if (const auto v = value("sid")) all.back().submitters.back().id = *v;
      if (const auto v = value("email")) all.back().submitters.back().email = *v;
    } else if (const auto v = value("created_at"); v && all.back().created_at.empty()) {
      all.back().created_at = *v;
    }
  }
  return all;
}

std::optional<int> attempt_number(const std::string& name) {
  static const std::regex form(R"(^(?:attempt|try|submission|versuch|v|version)-?(\d{1,4})$)");
  std::smatch m;
  const std::string plain = plain_name(name);
  if (!std::regex_match(plain, m, form)) return std::nullopt;
  return std::atoi(m[1].str().c_str());
}

std::string plain_name(const std::string& text) {
  const std::string name = plain_letters(text);
  std::string out;
  bool gap = false;
  for (size_t i = 0; i < name.size(); ++i) {
    const auto c = static_cast<unsigned char>(name[i]);
    if (c < 0x80 && !std::isalnum(c)) {
      gap = true;
      continue;
    }
    if (gap && !out.empty()) out += '-';
    gap = false;
    const bool starts = out.empty() || !std::isdigit(static_cast<unsigned char>(out.back()));
    if (c == '0' && starts && i + 1 < name.size() && std::isdigit(static_cast<unsigned char>(name[i + 1])))
      continue;
    out += char(std::tolower(c));
  }
  return out;
}

const Lab* lab_named(const Catalog& catalog, const std::string& folder) {
  const std::string name = plain_name(folder);
  for (const Lab& lab : catalog.labs) {
    const std::string full = plain_name(lab.folder.filename().string());  // "1-reduce"
    const std::string number = full.substr(0, full.find('-'));
    for (const std::string& known : {full, plain_name(lab.name), number, "lab" + number, "lab-" + number,
                                     "lab-" + full, "lab" + full, number + plain_name(lab.name)})
      if (name == known) return &lab;
  }
  return nullptr;
}

// Without a regular expression: names in hostile archives are long.
std::optional<std::string> source_stem(const std::string& file) {
  std::string lower = file;
  for (char& c : lower) c = char(std::tolower(static_cast<unsigned char>(c)));
  while (!lower.empty() && std::isspace(static_cast<unsigned char>(lower.back()))) lower.pop_back();
  for (const std::string_view end : {".cu", ".cu.txt"})
    if (lower.size() > end.size() && lower.ends_with(end)) return file.substr(0, lower.size() - end.size());
  return std::nullopt;
}

NameMatch match_name(const std::string& file, const Step& step) {
  if (file == step.file) return NameMatch::exact;
  const std::string name = plain_stem(file), wanted = plain_stem(step.file);
  if (name == wanted) return NameMatch::spelling;
  std::string rest = name;
  for (const char* prefix : {"copy-of-", "kopie-von-", "copie-de-"})
    if (rest.rfind(prefix, 0) == 0) rest.erase(0, std::string(prefix).size());
  for (const char* suffix : {"-copy", "-kopie", "-final", "-solution", "-new"})
    if (rest.ends_with(suffix)) rest.erase(rest.size() - std::string(suffix).size());
  if (rest == wanted || without_number(rest) == wanted) return NameMatch::similar;
  // "sequential.cu" for 5-sequential.cu.
  const size_t dash = wanted.find('-');
  return dash != std::string::npos && rest == wanted.substr(dash + 1) ? NameMatch::similar : NameMatch::none;
}

bool skipped_folder(const std::string& name) {
  static const std::set<std::string> names = {"__MACOSX", "build",   "starters", "reference",
                                              "tests",    "app",     "assets",   "gradescope",
                                              "docs",     "scripts", "include"};
  return name.empty() || name[0] == '.' || names.count(name) > 0;
}

}  // namespace dojo::grade
