#include "gui/model/commands.hpp"

#include <algorithm>
#include <cctype>

namespace dojo::gui {

std::string to_string(const Chord& c) {
  if (!c.key) return "";
  std::string s;
  if (c.ctrl) s += "Ctrl+";
  if (c.alt) s += "Alt+";
  if (c.shift) s += "Shift+";
  static const std::pair<int, const char*> names[] = {{key::space, "Space"},
                                                      {key::minus, "−"},
                                                      {key::equal, "+"},
                                                      {key::escape, "Esc"},
                                                      {key::enter, "Enter"},
                                                      {key::tab, "Tab"},
                                                      {key::backspace, "Backspace"},
                                                      {key::del, "Delete"},
                                                      {key::right, "→"},
                                                      {key::left, "←"},
                                                      {key::down, "↓"},
                                                      {key::up, "↑"},
                                                      {key::page_up, "Page Up"},
                                                      {key::page_down, "Page Down"},
                                                      {key::home, "Home"},
                                                      {key::end, "End"},
                                                      {key::comma, ","},
                                                      {key::slash, "/"},
                                                      {key::period, "."},
                                                      {key::keypad_add, "Keypad +"},
                                                      {key::keypad_subtract, "Keypad −"},
                                                      {key::keypad_0, "Keypad 0"}};
  for (auto& [k, name] : names)
    if (c.key == k) return s + name;
  if (c.key >= key::f1 && c.key < key::f1 + 12) return s + "F" + std::to_string(c.key - key::f1 + 1);
  return s + char(c.key);
}

void CommandTable::add(Command c) { all_.push_back(std::move(c)); }

const Command* CommandTable::find(const std::string& id) const {
  for (auto& c : all_)
    if (c.id == id) return &c;
  return nullptr;
}

std::vector<std::string> CommandTable::menus() const {
  std::vector<std::string> out;
  for (auto& c : all_)
    if (!c.menu.empty() && std::find(out.begin(), out.end(), c.menu) == out.end()) out.push_back(c.menu);
  return out;
}

bool CommandTable::press(const Chord& chord, bool typing) const {
  bool strong = chord.ctrl || chord.alt || chord.key >= key::f1;
  for (auto& c : all_)
    for (auto& k : c.keys)
      if (k == chord && k.key) {
        if (typing && !strong && !c.in_text) return false;
        if (!c.usable() || !c.act) return false;
        c.act();
        return true;
      }
  return false;
}

bool CommandTable::run(const std::string& id) const {
  auto* c = find(id);
  if (!c || !c->usable() || !c->act) return false;
  c->act();
  return true;
}

int fuzzy_score(const std::string& typed, const std::string& text) {
  const std::string letters = typed.substr(0, typed.find_last_not_of(' ') + 1);  // on the way to another word
  // The letters in one piece beat the same letters strewn about, at the start of a word most of all.
  auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  int piece = 0;
  if (letters.size() > 1)
    for (auto it = text.begin();
         (it = std::search(it, text.end(), letters.begin(), letters.end(), same)) != text.end(); ++it)
      piece = std::max(piece,
                       it == text.begin() || !std::isalnum(static_cast<unsigned char>(it[-1])) ? 400 : 200);
  int score = 0, loose = 0;  // loose: letters amid a word, behind a gap
  size_t at = 0, last = std::string::npos;
  for (char want : letters) {
    if (want == ' ') continue;
    auto lower = [](char c) { return std::tolower(static_cast<unsigned char>(c)); };
    size_t i = at;
    // The start of a word beats a letter inside one, if there is such a place further on.
    size_t word = std::string::npos, any = std::string::npos;
    for (; i < text.size(); ++i) {
      if (lower(text[i]) != lower(want)) continue;
      if (any == std::string::npos) any = i;
      if (i == 0 || !std::isalnum(static_cast<unsigned char>(text[i - 1]))) {
        word = i;
        break;
      }
    }
    if (any == std::string::npos) return -1;
    size_t pick = last != std::string::npos && any == last + 1 ? any : word != std::string::npos ? word : any;
    score += pick == word ? 8 : 1;
    loose += pick != word && !(last != std::string::npos && pick == last + 1);
    if (last != std::string::npos && pick == last + 1) score += 5;
    score -= int(std::min<size_t>(4, (pick - at) / 4));
    last = pick;
    at = pick + 1;
  }
  // One slip is forgiven; letters strewn over words are no match.
  if (!piece && loose > 1) return -1;
  return piece + std::max(0, score * 4 - int(text.size()) / 8);
}

namespace {
/// Does a word of a sentence begin with these letters? Four at least: fewer begin too many words.
bool word_begins(const std::string& sentence, const std::string& letters) {
  const auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  if (letters.size() < 4) return false;
  for (auto at = sentence.begin();; ++at) {
    at = std::search(at, sentence.end(), letters.begin(), letters.end(), same);
    if (at == sentence.end()) return false;
    if (at == sentence.begin() || !std::isalnum(static_cast<unsigned char>(at[-1]))) return true;
  }
}
}  // namespace

std::vector<const Command*> CommandTable::search(const std::string& letters) const {
  std::vector<std::pair<int, const Command*>> found;
  for (auto& c : all_) {
    if (c.title.empty()) continue;
    int s = fuzzy_score(letters, c.title);
    if (s < 0 && !c.menu.empty()) {
      const int with_menu = fuzzy_score(letters, c.menu + " " + c.title);
      if (with_menu >= 0) s = with_menu / 2;
    }
    if (s < 0 && word_begins(c.help, letters)) s = 0;
    if (s >= 0) found.push_back({s, &c});
  }
  std::stable_sort(found.begin(), found.end(), [](auto& a, auto& b) {
    bool ua = a.second->usable(), ub = b.second->usable();
    return ua != ub ? ua : a.first > b.first;
  });
  std::vector<const Command*> out;
  for (auto& [s, c] : found) out.push_back(c);
  return out;
}

std::vector<std::string> CommandTable::clashes() const {
  std::vector<std::string> out;
  for (size_t i = 0; i < all_.size(); ++i)
    for (auto& a : all_[i].keys)
      for (size_t j = i + 1; j < all_.size(); ++j)
        for (auto& b : all_[j].keys)
          if (a == b && a.key) out.push_back(to_string(a) + ": " + all_[i].id + ", " + all_[j].id);
  return out;
}

}  // namespace dojo::gui
