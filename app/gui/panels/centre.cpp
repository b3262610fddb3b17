// The middle: tabs with the brief, the source, the reference and the earlier runs.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <utility>

#include "gui/look.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/ui.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

using Tab = UiState::Tab;

void Ui::tabs() {
  auto& t = theme();
  auto* v = s_.view();
  float h = px(38), w = ImGui::GetContentRegionAvail().x;
  ImVec2 p = ImGui::GetCursorScreenPos();
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled({p.x, p.y + h - std::max(1.0f, px(1))}, {p.x + w, p.y + h}, t.border);
  float x = p.x + px(8);
  bool locked = !s_.solved_or_instructor();
  struct Entry {
    Tab tab;
    std::string label;
    const char* help;
    bool off;
  };
  std::vector<Entry> all = {
      {Tab::source, s_.step()->file, "Your file, with counters beside each line (Alt+2)", false},
      {Tab::reference, "Reference",
       locked ? "The solved twin: opens once you have passed" : "The solved twin (Alt+3)", locked},
      {Tab::compare, "Runs", "Earlier runs of this step, compared (Alt+4)", false},
  };
  if (run::is_program(*s_.step()) || s_.stored())
    std::erase_if(all, [](auto& e) { return e.tab == Tab::reference; });
  if (s_.stored()) std::erase_if(all, [](auto& e) { return e.tab == Tab::compare; });
  if (!wide_) all.insert(all.begin(), {Tab::brief, "Brief", "What this step is about (Alt+1)", false});
  if (s_.instructor && !s_.stored())
    all.push_back({Tab::instructor, "Instructor", "What runs, all gates, the whole lab (Alt+5)", false});
  // A long file name is cut, so that no tab leaves the window.
  auto extra = [&](const Entry& k) {
    return (k.off ? px(18) : 0) + (k.tab == Tab::source && v->text.modified() ? px(14) : 0) + px(24);
  };
  float others = px(16);
  for (auto& k : all) others += extra(k) + (k.tab == Tab::source ? 0 : text_size(fonts().strong, k.label).x);
  std::string help;
  for (auto& k : all)
    if (const std::string cut =
            k.tab == Tab::source ? fitted(fonts().strong, k.label, std::max(px(40), w - others)) : k.label;
        cut != k.label) {
      help = k.label + "\n" + k.help;
      k.help = help.c_str();
      k.label = cut;
    }
  for (auto& k : all) {
    bool on = shown_tab() == k.tab, dirty = k.tab == Tab::source && v->text.modified();
    ImFont* f = on ? fonts().strong : fonts().ui;
    float bw = text_size(fonts().strong, k.label).x + extra(k);
    layout.push_back({"tab", {x, p.y, x + bw, p.y + h}});
    if (k.tab == Tab::brief || k.tab == Tab::source)
      layout.push_back({k.tab == Tab::brief ? "brief tab" : "source tab", {x, p.y, x + bw, p.y + h}});
    ImGui::SetCursorScreenPos({x, p.y});
    ImGui::PushID(int(k.tab));
    if (ImGui::InvisibleButton("tab", {bw, h}) && !k.off) s_.ui.tab = k.tab;
    bool hover = ImGui::IsItemHovered();
    focus_stop();
    tip(k.help);
    ImGui::PopID();
    ImU32 c = k.off ? t.faint : on ? t.text : hover ? t.text : t.muted;
    float tx = x + px(12);
    if (k.off) draw_icon(d, Icon::lock, {tx + px(6), p.y + h / 2}, px(12), t.faint), tx += px(18);
    text_at(d, f, {tx, p.y + (h - f->FontSize) / 2}, c, k.label);
    if (dirty) d->AddCircleFilled({x + bw - px(12), p.y + h / 2}, px(3.5f), t.warn);
    if (on) d->AddRectFilled({x + px(6), p.y + h - px(3)}, {x + bw - px(6), p.y + h}, t.accent, px(1));
    x += bw;
  }
  ImGui::SetCursorScreenPos({p.x, p.y + h});
  if (s_.ui.tab == Tab::reference && locked) s_.ui.tab = Tab::brief;
}

void Ui::centre() {
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  tabs();
  ImGui::PopStyleVar();
  code_focused_ = false;
  if (s_.view()->stand_in) stand_in_strip();
  switch (shown_tab()) {
    case Tab::source:
      source();
      break;
    case Tab::reference:
      reference();
      break;
    case Tab::compare:
      runs_tab();
      break;
    case Tab::instructor:
      instructor_tab();
      break;
    default:
      brief();
  }
}

void Ui::brief() {
  auto& t = theme();
  auto* v = s_.view();
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(22), px(16)});
  ImGui::BeginChild("brief", {0, 0}, false, ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  if (s_.ui.focus_tab) ImGui::SetScrollY(0);
  auto& step = *s_.step();
  float width = std::min(ImGui::GetContentRegionAvail().x, px(760));
  bool own_title =
      !v->brief.empty() && v->brief.front().kind == MdBlock::heading && v->brief.front().level == 1;
  if (!own_title) {
    text_in(fonts().title, t.text, step.title);
    gap(4);
  }
  std::string target = draw_markdown(v->brief, width);
  if (!target.empty() && target.find("://") == std::string::npos) {
    if (target.starts_with("step:")) target.erase(0, 5);
    s_.open(target);
    ImGui::EndChild();
    return;
  }
  if (v->brief.empty()) text_in(fonts().ui, t.muted, "This step has no brief.");
  if (!step.prediction.question.empty()) {
    gap(10);
    prediction_card(false);
  }
  published();
  hints();
  gap(24);
  ImGui::EndChild();
}

void Ui::prediction_card(bool in_overlay) {
  auto& t = theme();
  auto& step = *s_.step();
  auto& p = s_.progress_of(step.id());
  auto* v = s_.view();
  float width = std::min(ImGui::GetContentRegionAvail().x, px(760));
  ImDrawList* d = ImGui::GetWindowDrawList();
  ImVec2 from = ImGui::GetCursorScreenPos();
  float pad = in_overlay ? 0 : px(14);
  if (predict_step_ != step.id()) predict_step_ = step.id(), predict_[0] = 0;
  if (!in_overlay) {
    d->ChannelsSplit(2);
    d->ChannelsSetCurrent(1);
    ImGui::SetCursorScreenPos({from.x + pad, from.y + pad});
  }
  ImGui::BeginGroup();
  ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width - pad * 2);
  bool open = s_.awaiting_prediction();
  text_in(fonts().small, t.accent, open ? "PREDICT BEFORE YOU RUN" : "YOUR PREDICTION");
  text_in(fonts().strong, t.text, step.prediction.question);
  gap(4);
  if (open) {
    if (!step.prediction.choices.empty()) {
      // The card's ground is a frame's: a line round each ring shows that there is something to choose.
      ImGui::PushStyleColor(ImGuiCol_FrameBg, t.panel);
      ImGui::PushStyleColor(ImGuiCol_Border, t.muted);
      ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, px(1)));
      for (auto& c : step.prediction.choices) {
        bool on = predict_ == c;
        if (as_stop(ImGui::RadioButton(c.c_str(), on)))
          std::snprintf(predict_, sizeof predict_, "%s", c.c_str());
      }
      ImGui::PopStyleVar();
      ImGui::PopStyleColor(2);
    } else {
      ImGui::SetNextItemWidth(px(150));
      ImGui::PushStyleColor(ImGuiCol_FrameBg, t.panel);
      ImGui::PushStyleColor(ImGuiCol_Border, t.muted);
      ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, px(1)));
      if (in_overlay && predict_was_ == false) ImGui::SetKeyboardFocusHere();
      bool enter = as_stop(ImGui::InputTextWithHint("##predict", "a number", predict_, sizeof predict_,
                                                    ImGuiInputTextFlags_EnterReturnsTrue));
      ImGui::PopStyleVar();
      ImGui::PopStyleColor(2);
      if (enter && predict_[0]) s_.predict(predict_);
      if (px(150) + text_size(fonts().ui, "Predict and run").x + px(70) < width - pad * 2) ImGui::SameLine();
    }
    if (primary_button("Predict and run", Icon::play, predict_[0] != 0)) s_.predict(predict_);
    // On in the row where the card has room, else below.
    const char* skip = "Run without predicting";
    if (ImGui::GetItemRectMax().x + px(14) + text_size(fonts().ui, skip).x < from.x + width - pad)
      ImGui::SameLine(0, px(14));
    ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
    if (link(skip, t.muted)) s_.skip_prediction();
    const ImVec2 skip_lo = ImGui::GetItemRectMin(), skip_hi = ImGui::GetItemRectMax();
    layout.push_back({"prediction", {from.x, from.y, from.x + width, skip_hi.y}});
    layout.push_back({"run without predicting", {skip_lo.x, skip_lo.y, skip_hi.x, skip_hi.y}});
  } else {
    layout.push_back({"prediction result", {from.x, from.y, from.x + width, from.y}});
    Reveal r = reveal(step, p.prediction, v->has_report ? &v->report : nullptr);
    if (p.prediction.empty())
      text_in(fonts().ui, t.muted, "You ran it without a prediction.");
    else
      text_in(fonts().ui, t.muted, "You said " + p.prediction + ".");
    if (r.judged && v->has_report) {
      ImU32 c = p.prediction.empty() ? t.text : r.right ? t.good : t.warn;
      ImVec2 q = ImGui::GetCursorScreenPos();
      if (!p.prediction.empty()) {
        draw_icon(d, r.right ? Icon::check : Icon::cross,
                  {q.x + px(8), q.y + fonts().strong->FontSize / 2 + px(1)}, px(14), c);
        ImGui::SetCursorScreenPos({q.x + px(22), q.y});
      }
      text_in(fonts().strong, c,
              p.prediction.empty() ? "It is " + r.answer + "."
              : r.right            ? "Right: it is " + r.answer + "."
                                   : "It is " + r.answer + ".");
      if (!step.prediction.explain.empty()) text_in(fonts().ui, t.text, step.prediction.explain);
    } else {
      text_in(fonts().ui, t.muted, s_.running() ? "The answer comes with the run." : "Run it to see.");
    }
  }
  ImGui::PopTextWrapPos();
  ImGui::EndGroup();
  if (!in_overlay) {
    ImVec2 to = {from.x + width, ImGui::GetItemRectMax().y + pad};
    d->ChannelsSetCurrent(0);
    d->AddRectFilled(from, to, fade(t.accent, t.dark ? 0.08f : 0.06f), px(8));
    d->AddRect(from, to, fade(t.accent, 0.45f), px(8));
    d->ChannelsMerge();
    ImGui::SetCursorScreenPos(from);
    ImGui::Dummy({width, to.y - from.y});
  }
}

void Ui::published() {
  auto& t = theme();
  auto& list = s_.step()->published;
  if (list.empty()) return;
  gap(10);
  section("Published figures");
  float width = std::min(ImGui::GetContentRegionAvail().x, px(760));
  for (auto& p : list) {
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    text_in(fonts().ui, t.text, p.what + (p.what.empty() ? "" : ": ") + for_reading(p.value));
    text_in(fonts().small, t.muted,
            (p.gpu.empty() ? "GPU not stated" : p.gpu) + (p.source.empty() ? "" : ", " + p.source) +
                (p.note.empty() ? "" : ". " + p.note));
    ImGui::PopTextWrapPos();
    gap(3);
  }
}

void Ui::hints() {
  auto& t = theme();
  auto& step = *s_.step();
  if (step.hints.empty()) return;
  gap(10);
  int shown = s_.hints_shown(), all = int(step.hints.size());
  section("Hints");
  float width = std::min(ImGui::GetContentRegionAvail().x, px(760));
  for (int i = 0; i < shown; ++i) {
    ImVec2 p = ImGui::GetCursorScreenPos();
    if (i + 1 == shown && s_.ui.focus_hint) {
      s_.ui.focus_hint = false;
      ImGui::SetScrollHereY(0.3f);
    }
    draw_icon(ImGui::GetWindowDrawList(), Icon::bulb, {p.x + px(9), p.y + fonts().ui->FontSize * 0.6f},
              px(15), t.warn);
    ImGui::SetCursorScreenPos({p.x + px(24), p.y});
    ImGui::BeginGroup();
    draw_markdown(parse_markdown(step.hints[size_t(i)]), width - px(24));
    ImGui::EndGroup();
    gap(2);
  }
  if (shown < all) {
    if (plain_button(
            fmt::format("{} ({} of {})", shown == 0 ? "Show a hint" : "Next hint", shown + 1, all).c_str()))
      s_.show_hint();
    tip("From a nudge to near-answer (Ctrl+H)");
  }
}

void Ui::file_banner() {
  auto& t = theme();
  auto* v = s_.view();
  const bool gone = !v->file_problem.empty();
  const std::string words =
      gone ? v->file_problem : "Another program changed this file while you edited it here.";
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float width = ImGui::GetContentRegionAvail().x - px(12), pad = px(10), button = px(116);
  ImFont* f = fonts().ui;
  const float wrap = width - button - pad * 4 - px(20);
  const float h = f->CalcTextSizeA(f->FontSize, FLT_MAX, wrap, words.c_str()).y + pad * 2;
  ImDrawList* d = ImGui::GetWindowDrawList();
  const ImU32 c = gone ? t.bad : t.warn;
  d->AddRectFilled({p.x + px(6), p.y + px(4)}, {p.x + width + px(6), p.y + h + px(4)}, fade(c, 0.14f), px(6));
  draw_icon(d, Icon::warning, {p.x + px(24), p.y + px(4) + h / 2}, px(15), c);
  d->AddText(f, f->FontSize, {p.x + px(40), p.y + px(4) + pad}, t.text, words.c_str(), nullptr, wrap);
  ImGui::SetCursorScreenPos({p.x + width - button, p.y + px(4) + (h - ImGui::GetFrameHeight()) / 2});
  if (plain_button(gone ? "Restore  F5" : "Compare…", {button, 0}))
    s_.commands.run(gone ? "run.run" : "file.take");
  layout.push_back({"file banner", {p.x, p.y, p.x + width, p.y + h}});
  ImGui::SetCursorScreenPos({p.x, p.y + h + px(10)});
}

void Ui::source() {
  auto& t = theme();
  auto* v = s_.view();
  if (v->stand_in) return stand_in_source();
  if (!v->loaded) {
    ImGui::SetCursorPos({px(12), px(50)});
    file_banner();
    return;
  }
  if (!v->file_problem.empty() || v->disk_newer) file_banner();
  brief_fold();
  // Tools above the text.
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {px(12), px(6)});
  ImGui::BeginChild("tools", {0, px(40)}, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding | ImGuiWindowFlags_NoScrollbar);
  ImGui::PopStyleVar();
  auto& metric = heat_metric(s_.settings.heat);
  if (begin_combo("##heat", metric.title, px(172))) {
    for (auto& m : heat_metrics()) {
      if (ImGui::Selectable(m.title, &m == &metric)) s_.choose_heat(m.key);
      tip(m.help);
    }
    ImGui::EndCombo();
  }
  tip(std::string("Beside each line: ") + metric.help);
  ImGui::SameLine();
  const float tools_y = ImGui::GetCursorPosY();
  ImGui::SetCursorPosY(tools_y + std::floor((ImGui::GetFrameHeight() - fonts().small->FontSize - px(9)) / 2));
  if (pill("PTX and SASS", s_.settings.code_shown)) s_.commands.run("view.code");
  tip("What the compiler made of each line (Alt+6)");
  ImGui::SameLine();
  ImGui::SetCursorPosY(tools_y);
  const float tools_pad = ImGui::GetStyle().FramePadding.x * 2;
  const char* editor = "Open in my editor";
  if (text_size(fonts().ui, editor).x + tools_pad > ImGui::GetContentRegionAvail().x) editor = "Editor";
  if (text_size(fonts().ui, editor).x + tools_pad <= ImGui::GetContentRegionAvail().x) {
    if (plain_button(editor)) s_.open_in_editor();
    tip("Opens the file in your own editor (Ctrl+E); saving there runs it here");
    ImGui::SameLine();
  }
  if (v->text.modified()) {
    if (plain_button("Save")) s_.commands.run("file.save");
    tip("Writes the file (Ctrl+S)");
    ImGui::SameLine();
  } else if (ImGui::GetContentRegionAvail().x > px(60)) {
    if (plain_button("Reset")) s_.ui.confirm_reset = true;
    tip("Puts the file back as it was; yours is kept");
    ImGui::SameLine();
  }
  if (v->has_report && ImGui::GetContentRegionAvail().x > px(120)) {
    ImGui::AlignTextToFramePadding();
    std::string note = v->stale()        ? "edited since the run"
                       : v->heat.empty() ? "no " + std::string(metric.unit) + " here"
                                         : metric.unit;
    text_in(fonts().small, t.faint, fitted(fonts().small, note, ImGui::GetContentRegionAvail().x));
  }
  ImGui::EndChild();
  if (s_.ui.focus == "find") find_open_ = find_focus_ = true;
  if (find_open_) {
    ImGui::SetCursorPosX(px(12));
    ImGui::SetNextItemWidth(px(220));
    if (find_focus_) ImGui::SetKeyboardFocusHere();
    find_focus_ = false;
    if (as_stop(ImGui::InputTextWithHint(
            "##find", "Find", find_, sizeof find_,
            ImGuiInputTextFlags_EnterReturnsTrue | ImGuiInputTextFlags_AutoSelectAll))) {
      if (v->text.find_next(find_, ImGui::GetIO().KeyShift))
        s_.ui.go_line = v->text.caret().line + 1;
      else
        s_.toast(std::string("'") + find_ + "' is not in this file.");
      find_focus_ = true;
    }
    ImGui::SameLine();
    ImGui::AlignTextToFramePadding();
    const size_t found = v->text.count(find_);
    text_in(fonts().small, found || !find_[0] ? t.muted : t.bad,
            !find_[0]    ? "Enter goes to the next"
            : found == 1 ? "1 place"
                         : fmt::format("{} places", found));
    ImGui::SameLine();
    if (icon_button("closefind", Icon::cross, "Close (Esc)")) find_open_ = false;
  }
  CodeSpec spec;
  spec.writable = true;
  spec.wrap = s_.settings.wrap;
  spec.heat = &v->heat;
  spec.marks = &v->marks;
  spec.heat_title = metric.title;
  spec.go_line = s_.ui.go_line;
  spec.take_focus = s_.ui.focus == "source";
  if (find_open_) spec.find = find_;
  // Taken now: a click in the code below may ask for it again.
  if (s_.ui.focus == "source" || s_.ui.focus == "find") s_.ui.focus.clear();
  auto* run = v->has_report ? student_run(v->report) : nullptr;
  std::string file = s_.step()->file;
  spec.tooltip = [&, run, file](int line) {
    std::string out = fmt::format("Line {}", line);
    if (auto it = v->heat.find(line); it != v->heat.end())
      out += fmt::format(": {} {} ({:.0f} % of the file)", grouped(it->second.value), metric.unit,
                         it->second.share * 100);
    if (run)
      for (auto& [name, value] : line_counters(*run, file, line))
        out += fmt::format("\n{}  {}", grouped(value), name);
    return out;
  };
  Caret keep = v->text.caret(), keep_anchor = v->text.anchor();
  bool searching = spec.go_line > 0 && v->text.has_selection();
  with_code(false, v->text, [&](ImVec2 size) {
    if (code_.draw("code", v->text, spec, size)) s_.edit_done();
  });
  if (searching) {
    v->text.move_to(keep_anchor);
    v->text.move_to(keep, true);
  }
  code_focused_ = code_.focused();
}

void Ui::reference() {
  auto& t = theme();
  auto* v = s_.view();
  if (v->reference_text.empty()) {
    ImGui::SetCursorPos({px(22), px(60)});
    text_in(fonts().ui, t.muted, "The reference's source is not part of this handout.");
    return;
  }
  if (!s_.ui.lecture) {
    ImGui::SetCursorPos({ImGui::GetCursorPosX() + px(12), ImGui::GetCursorPosY() + px(8)});
    if (pill("The whole text", !show_diff_)) show_diff_ = false;
    ImGui::SameLine(0, px(3));
    if (pill("Against yours", show_diff_)) show_diff_ = true;
    tip("The lines in which your file and the reference differ");
    if (!show_diff_) {
      ImGui::SameLine(0, px(14));
      if (pill("PTX and SASS", s_.settings.code_shown)) s_.commands.run("view.code");
      tip("What the compiler made of each line (Alt+6)");
    }
    gap(4);
    if (show_diff_) return differences();
  }
  auto it = reference_texts_.find(v->id);
  if (it == reference_texts_.end()) {
    it = reference_texts_.emplace(v->id, TextBuffer{}).first;
    it->second.set(v->reference_text);
  }
  std::map<int, LineHeat> heat;
  auto* run = v->has_report ? reference_run(v->report) : nullptr;
  if (run) heat = line_heat(*run, s_.step()->file, heat_metric(s_.settings.heat));
  if (for_print()) return source_page(it->second.lines(), heat, ImGui::GetContentRegionAvail());
  CodeSpec spec;
  spec.wrap = s_.ui.lecture || s_.settings.wrap;
  spec.says_more = spec.whole_rows = s_.ui.lecture;
  if (s_.ui.lecture) spec.line_distance = slide_line_distance;
  spec.heat = &heat;
  spec.go_line = std::exchange(reference_line_, 0);
  spec.tooltip = [&](int line) {
    std::string out = fmt::format("Line {}", line);
    for (auto& [name, value] : line_counters(*run, s_.step()->file, line))
      out += fmt::format("\n{}  {}", grouped(value), name);
    return out;
  };
  auto draw = [&](ImVec2 size) { reference_code_.draw("reference", it->second, spec, size); };
  if (!s_.ui.lecture) return with_code(true, it->second, draw);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {0, 0});
  draw(ImGui::GetContentRegionAvail());
  ImGui::PopStyleVar();
}

}  // namespace dojo::gui
