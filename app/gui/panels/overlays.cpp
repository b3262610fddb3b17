// The cards over the window: palette, help sheet, prediction, reset, open; and toasts.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstring>
#include <functional>

#include "gui/card.hpp"
#include "gui/look.hpp"
#include "gui/panels/conflict.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/overlays.hpp"
#include "gui/panels/step/brief.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
bool mentions(const std::string& text, const char* words) {
  auto same = [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) == std::tolower(static_cast<unsigned char>(b));
  };
  return std::search(text.begin(), text.end(), words, words + std::strlen(words), same) != text.end();
}
}  // namespace

void Overlays::draw() {
  if (for_print()) return;
  const std::optional<Overlay> card = s_.ui.overlay;
  const bool fresh = card != before_;
  if (card) draw_card(*card, fresh);
  // One that a card opened is drawn in the next frame, where it is fresh.
  before_ = s_.ui.overlay == card ? card : std::nullopt;
  if (!s_.ui.overlay && !s_.ui.lecture) tour_.draw(s_, window_.layout);
  toasts();
}

void Overlays::draw_card(Overlay card, bool fresh) {
  switch (card) {
    case Overlay::palette:
      return palette(fresh);
    case Overlay::help:
      return help_sheet();
    case Overlay::predict:
      return prediction_overlay(fresh);
    case Overlay::confirm_reset:
      return reset_overlay(fresh);
    case Overlay::conflict:
      return conflict_.draw(s_, fresh);
    case Overlay::open_file:
      return open_overlay(fresh);
    case Overlay::glossary:
      return glossary_.draw(s_.ui, fresh);
    case Overlay::losing:
      return losing_.draw(s_, fresh);
  }
}

/// What fits the words that were typed, best first: commands, labs, steps, briefs, devices and sizes.
std::vector<Overlays::PaletteItem> Overlays::palette_items() {
  std::vector<PaletteItem> items;
  int rank = 0;
  for (auto* c : s_.commands.search(palette_text_)) {
    if (c->id == "help.palette") continue;
    items.push_back({c->title,
                     c->keys.empty() ? "" : to_string(c->keys.front()),
                     c,
                     {},
                     // Found by its menu or its help only, it still stands above briefs.
                     c->usable() ? std::max(2, fuzzy_score(palette_text_, c->title)) : -100 - rank,
                     c->usable()});
    ++rank;
  }
  auto offer = [&](const std::string& title, const std::string& note, const std::string& also,
                   std::function<void()> act) {
    const int score = std::max(fuzzy_score(palette_text_, title), fuzzy_score(palette_text_, also));
    if (score > 0) items.push_back({title, note, nullptr, std::move(act), score - 2, true});
  };
  if (palette_text_[0]) {
    for (auto& lab : s_.catalog().labs) {
      offer("Lab: " + lab.title, "page", lab.name, [this, name = lab.name] {
        if (const Lab* l = s_.catalog().find_lab(name); l && s_.lab() != l && !l->steps.empty())
          s_.open(l->steps.front().id());
        s_.ui.lab_page = name;
        s_.ui.plots_only = s_.ui.motion = s_.ui.submissions = false;
      });
      for (auto& s : lab.steps)
        offer(s.title.empty() ? s.name : s.title, s.id(), s.id(), [this, id = s.id()] { s_.open(id); });
      // Briefs match only by the exact text, not by scattered letters.
      if (std::strlen(palette_text_) >= 4)
        for (auto& s : lab.steps)
          if (mentions(s.brief, palette_text_))
            items.push_back({s.title.empty() ? s.name : s.title, "in the brief of " + s.id(), nullptr,
                             [this, id = s.id()] { s_.open(id); }, 1, true});
    }
    // A recording's title goes on to driver and commits: long enough to have any word's letters somewhere.
    for (auto& d : s_.devices()) {
      const bool recording = d.kind == DeviceKind::recording;
      offer("Device: " + (recording ? d.title.substr(0, d.title.find(',')) : d.title), d.name, d.name,
            [this, name = d.name] { s_.choose_device(name); });
    }
    if (s_.step())
      for (auto& size : size_choices(s_.step()->size))
        offer("Size: " + size_text(size), "", "size " + short_size(size),
              [this, size] { s_.choose_size(size); });
  }
  if (palette_text_[0])
    std::stable_sort(items.begin(), items.end(), [](auto& a, auto& b) { return a.score > b.score; });
  if (items.size() > 14) items.resize(14);
  return items;
}

/// Draws the items, a row each. Returns the one that was clicked, or null.
const Overlays::PaletteItem* Overlays::palette_rows(const std::vector<PaletteItem>& items) {
  auto& t = theme();
  const PaletteItem* chosen = nullptr;
  for (int i = 0; i < int(items.size()); ++i) {
    auto& it = items[size_t(i)];
    ImVec2 p = ImGui::GetCursorScreenPos();
    ImVec2 size = {px(580), px(30)};
    ImGui::PushID(i);
    if (ImGui::InvisibleButton("item", size)) chosen = &it;
    bool hover = ImGui::IsItemHovered();
    ImGui::PopID();
    if (hover && (ImGui::GetIO().MouseDelta.x != 0 || ImGui::GetIO().MouseDelta.y != 0)) palette_at_ = i;
    ImDrawList* d = ImGui::GetWindowDrawList();
    if (i == palette_at_) d->AddRectFilled(p, {p.x + size.x, p.y + size.y}, t.hover, px(5));
    float nw = text_size(fonts().small, it.note).x;
    text_at(d, fonts().ui, {p.x + px(10), p.y + (size.y - fonts().ui->FontSize) / 2},
            it.usable ? t.text : t.faint, it.title, size.x - nw - px(36));
    text_at(d, fonts().small, {p.x + size.x - nw - px(10), p.y + (size.y - fonts().small->FontSize) / 2},
            t.faint, it.note);
    ImGui::SetCursorScreenPos({p.x, p.y + size.y});
  }
  return chosen;
}

void Overlays::palette(bool fresh) {
  auto& t = theme();
  if (fresh) palette_text_[0] = 0, palette_at_ = 0;
  card_begin("palette", s_.ui, Overlay::palette, {px(620), 0}, 0.12f);
  ImGui::PushFont(fonts().ui);
  ImGui::SetNextItemWidth(px(580));
  if (fresh) ImGui::SetKeyboardFocusHere();
  std::string before = palette_text_;
  bool enter = as_stop(
      ImGui::InputTextWithHint("##palette", "A command, step, lab, device, size, or words of a brief",
                               palette_text_, sizeof palette_text_, ImGuiInputTextFlags_EnterReturnsTrue));
  if (before != palette_text_) palette_at_ = 0;
  auto items = palette_items();
  // As many as stand in the window: slides have large letters.
  const float room = ImGui::GetIO().DisplaySize.y - ImGui::GetCursorScreenPos().y - px(40);
  const size_t most = size_t(std::max(3.0f, room / px(30)));
  if (items.size() > most) items.erase(items.begin() + long(most), items.end());
  auto pressed = [](ImGuiKey k) { return ImGui::IsKeyPressed(ImGui::GetKeyIndex(k)); };
  if (pressed(ImGuiKey_DownArrow)) ++palette_at_;
  if (pressed(ImGuiKey_UpArrow)) --palette_at_;
  palette_at_ = items.empty() ? 0 : (palette_at_ + int(items.size())) % int(items.size());
  gap(6);
  const PaletteItem* chosen = palette_rows(items);
  if (items.empty())
    text_in(fonts().ui, t.muted, "No command, lab, step, brief, device or size has these letters.");
  if (enter && !items.empty()) chosen = &items[size_t(palette_at_)];
  ImGui::PopFont();
  if (chosen && chosen->usable) {
    s_.ui.close(Overlay::palette);
    if (chosen->command)
      s_.commands.run(chosen->command->id);
    else
      chosen->act();
  }
  ImGui::End();
}

void Overlays::help_sheet() {
  auto& t = theme();
  ImVec2 screen = ImGui::GetIO().DisplaySize;
  card_begin("help", s_.ui, Overlay::help, {px(1010), screen.y - px(90)}, 0.5f);
  text_in(fonts().title, t.text, "Keys and commands");
  ImGui::SameLine(ImGui::GetWindowContentRegionMax().x - px(28));
  if (icon_button("close", Icon::cross, "Close (Esc)")) s_.ui.close(Overlay::help);
  gap(4);
  ImGui::BeginChild("sheet", {0, 0}, false);
  int columns = ImGui::GetContentRegionAvail().x > px(820) ? 2 : 1;
  if (ImGui::BeginTable("commands", columns, ImGuiTableFlags_SizingStretchSame)) {
    auto menus = s_.commands.menus();
    // Two columns of about the same length.
    std::vector<size_t> rows;
    size_t all = 0;
    for (auto& m : menus) {
      rows.push_back(size_t(std::count_if(s_.commands.all().begin(), s_.commands.all().end(),
                                          [&](auto& c) { return c.menu == m; })) +
                     2);
      all += rows.back();
    }
    ImGui::TableNextRow();
    ImGui::TableNextColumn();
    size_t done = 0;
    bool second = false;
    for (size_t i = 0; i < menus.size(); ++i) {
      if (columns == 2 && !second && done + rows[i] / 2 > all / 2) ImGui::TableNextColumn(), second = true;
      done += rows[i];
      text_in(fonts().small, t.accent, menus[i]);
      gap(2);
      for (auto& c : s_.commands.all()) {
        if (c.menu != menus[i]) continue;
        ImVec2 p = ImGui::GetCursorScreenPos();
        float kw = px(118);
        if (!c.keys.empty())
          key_cap(to_string(c.keys.front()));
        else
          ImGui::Dummy({1, fonts().small->FontSize + px(5)});
        ImGui::SetCursorScreenPos({p.x + kw, p.y + px(1)});
        ImGui::BeginGroup();
        text_in(fonts().ui, t.text, c.title);
        ImGui::PushTextWrapPos(0);
        text_in(fonts().small, t.muted, c.help);
        ImGui::PopTextWrapPos();
        ImGui::EndGroup();
        gap(3);
      }
      gap(10);
    }
    ImGui::EndTable();
  }
  text_in(fonts().small, t.accent, "In a plot");
  gap(2);
  for (auto& [keys, what] : {std::pair{"Wheel", "zoom around the mouse"},
                             {"Drag", "move"},
                             {"Right drag", "zoom into a box (Shift and drag too)"},
                             {"Double-click", "show all"}}) {
    ImVec2 p = ImGui::GetCursorScreenPos();
    key_cap(keys);
    ImGui::SetCursorScreenPos({p.x + px(128), p.y + px(1)});
    text_in(fonts().ui, t.text, what);
  }
  ImGui::EndChild();
  ImGui::End();
}

void Overlays::prediction_overlay(bool fresh) {
  if (!s_.awaiting_prediction()) {
    s_.ui.close(Overlay::predict);
    return;
  }
  card_begin("predict", s_.ui, Overlay::predict, {px(560), 0}, 0.4f);
  ImGui::Dummy({px(520), 0});
  brief_.prediction_card(true, fresh);
  ImGui::End();
}

void Overlays::reset_overlay(bool fresh) {
  auto& t = theme();
  card_begin("reset", s_.ui, Overlay::confirm_reset, {px(480), 0}, 0.4f);
  ImGui::Dummy({px(440), 0});
  text_in(fonts().title, t.text, "Reset " + fitted(fonts().title, s_.step()->file, px(340)) + "?");
  ImGui::PushTextWrapPos(px(440));
  text_in(fonts().ui, t.muted,
          "The file becomes as it was at first. Your version is kept beside the app's data, and Undo brings "
          "it back.");
  ImGui::PopTextWrapPos();
  gap(8);
  if (fresh) ImGui::SetKeyboardFocusHere();
  if (plain_button("Keep my version")) s_.ui.close(Overlay::confirm_reset);
  ImGui::SameLine();
  if (plain_button("Reset")) {
    s_.ui.close(Overlay::confirm_reset);
    s_.reset();
  }
  ImGui::End();
}

void Overlays::open_overlay(bool fresh) {
  auto& t = theme();
  std::error_code ec;
  if (fresh)
    std::snprintf(open_path_, sizeof open_path_, "%s", (fs::current_path(ec).string() + "/").c_str());
  card_begin("open", s_.ui, Overlay::open_file, {px(620), 0}, 0.18f);
  text_in(fonts().title, t.text, "Open a program or a report");
  text_wrapped_in(
      fonts().ui, t.muted,
      "Any .cu file with a main function, or a report (.json) that --json saved. You can also drop "
      "the file on the window.");
  gap(4);
  if (fresh) ImGui::SetKeyboardFocusHere();
  ImGui::SetNextItemWidth(px(580));
  bool go = as_stop(ImGui::InputTextWithHint("##path", "/home/me/saxpy.cu", open_path_, sizeof open_path_,
                                             ImGuiInputTextFlags_EnterReturnsTrue));
  // Lists the path's folder: .cu and .json files, and folders, whose names begin with the typed text.
  const fs::path typed(typed_path(open_path_)), folder = typed.has_filename() ? typed.parent_path() : typed;
  const std::string begin = typed.filename().string();
  std::vector<fs::path> found;
  for (auto& f : fs::directory_iterator(folder, ec)) {
    const std::string name = f.path().filename().string();
    if (name.starts_with(".") || !name.starts_with(begin)) continue;
    if (f.is_directory(ec) || f.path().extension() == ".cu" || f.path().extension() == ".json")
      found.push_back(f.path());
    if (found.size() > 400) break;
  }
  std::sort(found.begin(), found.end());
  if (found.size() > 10) found.resize(10);
  std::string chosen = go ? typed.string() : "";
  gap(4);
  for (auto& f : found) {
    const bool dir = fs::is_directory(f, ec);
    if (link(f.filename().string() + (dir ? "/" : ""), dir ? t.muted : t.text)) {
      if (dir)
        std::snprintf(open_path_, sizeof open_path_, "%s/", f.c_str());
      else
        chosen = f.string();
    }
  }
  if (found.empty()) text_in(fonts().small, t.muted, "No .cu or .json file begins with these letters.");
  if (!chosen.empty() && (chosen.ends_with(".json") ? s_.open_report(chosen) : s_.open_program(chosen)))
    s_.ui.close(Overlay::open_file);
  ImGui::End();
}

/// Newest last, at the foot of the window; where a hint is being read there, below the header.
void Overlays::toasts() {
  auto& t = theme();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImDrawList* d = ImGui::GetForegroundDrawList();
  ImFont* f = fonts().ui;
  const float wrap = std::min(px(560), screen.x - px(60)), between = px(8);
  struct Placed {
    std::string words;
    ImVec2 size;
    ImU32 colour;
  };
  std::vector<Placed> all;
  ImVec2 whole{0, 0};
  for (auto& toast : s_.toasts()) {
    std::string words;
    for (const std::string& line : wrapped_lines(f, toast.text, wrap))
      words += (words.empty() ? "" : "\n") + line;
    const ImVec2 z = text_size(f, words);
    all.push_back({words, {z.x + px(34), z.y + px(18)}, t.of(toast.tone)});
    whole = {std::max(whole.x, all.back().size.x), whole.y + all.back().size.y + between};
  }
  const float foot = screen.y - px(26) - px(14), left = (screen.x - whole.x) / 2;
  float y = foot - whole.y + between;
  for (auto& [name, r] : window_.layout)
    if (name == "hint" && r.w > foot - whole.y && r.y < foot && r.z > left && r.x < left + whole.x)
      y = px(48) + px(14);
  for (auto& [words, size, colour] : all) {
    const ImVec2 p = {(screen.x - size.x) / 2, y}, q = {p.x + size.x, p.y + size.y};
    d->AddRectFilled(p, q, mix(t.raised, t.hover, 0.5f), px(7));
    d->AddRect(p, q, t.border, px(7));
    d->AddRectFilled({p.x + px(8), p.y + px(9)}, {p.x + px(11), q.y - px(9)}, colour, px(2));
    want_characters(words);
    d->AddText(f, f->FontSize, {p.x + px(20), p.y + px(9)}, t.text, words.c_str());
    window_.layout.push_back({"toast", {p.x, p.y, q.x, q.y}});
    y += size.y + between;
  }
}

}  // namespace dojo::gui
