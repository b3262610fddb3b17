// The brief: what the step is about, its prediction, its published figures, its hints.
#include <fmt/format.h>

#include <algorithm>
#include <cfloat>
#include <cstring>
#include <utility>

#include "gui/look.hpp"
#include "gui/model/text/brief.hpp"
#include "gui/panels/focus.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/step/brief.hpp"
#include "gui/panels/widgets.hpp"
#include "gui/plot/axis.hpp"
#include "run/own_program.hpp"

namespace dojo::gui {

void BriefPanel::draw() {
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
    // The card over the window asks instead; its room here stays, so that nothing below moves.
    const float top = ImGui::GetCursorPosY();
    if (s_.ui.shows(Overlay::predict)) {
      ImGui::Dummy({0, card_height_});
    } else {
      prediction_card(false);
      card_height_ = ImGui::GetCursorPosY() - top - ImGui::GetStyle().ItemSpacing.y;
    }
  }
  published();
  hints();
  gap(24);
  ImGui::EndChild();
}

/// The answers to choose from, or a field for one, and the two ways on. `focus`: the field takes the
/// keyboard.
void BriefPanel::ask_prediction(ImVec2 from, float width, float pad, bool focus) {
  auto& t = theme();
  auto& step = *s_.step();
  if (!step.prediction.choices.empty()) {
    // The card's ground is a frame's: a line round each ring shows that there is something to choose.
    ImGui::PushStyleColor(ImGuiCol_FrameBg, t.panel);
    ImGui::PushStyleColor(ImGuiCol_Border, t.muted);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, px(1)));
    // A ring is as high as its text, not as a text field.
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, {ImGui::GetStyle().FramePadding.x, px(1)});
    for (auto& c : step.prediction.choices) {
      bool on = predict_ == c;
      if (as_stop(ImGui::RadioButton(c.c_str(), on)))
        std::snprintf(predict_, sizeof predict_, "%s", c.c_str());
    }
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor(2);
    gap(4);
  } else {
    ImGui::SetNextItemWidth(px(150));
    ImGui::PushStyleColor(ImGuiCol_FrameBg, t.panel);
    ImGui::PushStyleColor(ImGuiCol_Border, t.muted);
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, std::max(1.0f, px(1)));
    if (focus) ImGui::SetKeyboardFocusHere();
    bool enter = as_stop(ImGui::InputTextWithHint("##predict", "a number", predict_, sizeof predict_,
                                                  ImGuiInputTextFlags_EnterReturnsTrue));
    ImGui::PopStyleVar();
    ImGui::PopStyleColor(2);
    if (enter) s_.predict(predict_);
    if (px(150) + text_size(fonts().ui, "Predict and run").x + px(70) < width - pad * 2) ImGui::SameLine();
  }
  const bool can = can_predict(step.prediction, predict_);
  if (primary_button("Predict and run", Icon::play, can)) s_.predict(predict_);
  if (predict_[0] && !can) tip("This question asks for a number, such as 45, 0.142 or 2^20");
  // On in the row where the card has room, else below.
  const char* skip = "Run without predicting";
  if (ImGui::GetItemRectMax().x + px(14) + text_size(fonts().ui, skip).x < from.x + width - pad)
    ImGui::SameLine(0, px(14));
  ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ImGui::GetStyle().FramePadding.y);
  if (link(skip, t.muted)) s_.skip_prediction();
  const ImVec2 skip_lo = ImGui::GetItemRectMin(), skip_hi = ImGui::GetItemRectMax();
  window_.layout.push_back({"prediction", {from.x, from.y, from.x + width, skip_hi.y}});
  window_.layout.push_back({"run without predicting", {skip_lo.x, skip_lo.y, skip_hi.x, skip_hi.y}});
}

/// What was predicted, and what came out.
void BriefPanel::tell_prediction(ImVec2 from, float width) {
  auto& t = theme();
  auto& step = *s_.step();
  auto& p = s_.progress_of(step.id());
  auto* v = s_.view();
  ImDrawList* d = ImGui::GetWindowDrawList();
  window_.layout.push_back({"prediction result", {from.x, from.y, from.x + width, from.y}});
  Reveal r = reveal(step, p.prediction, v->has_report ? &v->report : nullptr);
  text_in(fonts().ui, t.muted, predicted_words(p.prediction, p.prediction_skipped));
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
    text_in(fonts().ui, t.muted,
            s_.running()                      ? "The answer comes with the run."
            : s_.device().starts_with("rec:") ? "A recording cannot run your file: choose another GPU to see."
                                              : "Run it to see.");
  }
}

void BriefPanel::prediction_card(bool in_overlay, bool opened) {
  auto& t = theme();
  auto& step = *s_.step();
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
  text_in(fonts().small, t.accent,
          open            ? "PREDICT BEFORE YOU RUN"
          : s_.instructor ? "PREDICTION"
                          : "YOUR PREDICTION");
  text_in(fonts().strong, t.text, step.prediction.question);
  gap(4);
  if (open) {
    ask_prediction(from, width, pad, in_overlay && opened);
  } else {
    tell_prediction(from, width);
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

void BriefPanel::published() {
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

void BriefPanel::hints() {
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
    if (ImGui::IsItemVisible()) {
      const ImVec2 lo = ImGui::GetItemRectMin(), hi = ImGui::GetItemRectMax();
      window_.layout.push_back({"hint", {lo.x, lo.y, hi.x, hi.y}});
    }
    gap(2);
  }
  if (shown < all) {
    if (plain_button(
            fmt::format("{} ({} of {})", shown == 0 ? "Show a hint" : "Next hint", shown + 1, all).c_str()))
      s_.show_hint();
    tip("From a nudge to near-answer (Ctrl+H)");
  }
}

void BriefPanel::fold() {
  if (window_.wide) return;
  auto& t = theme();
  const ImVec2 p = ImGui::GetCursorScreenPos();
  const float w = ImGui::GetContentRegionAvail().x, h = px(28);
  bool& open = s_.settings.brief_unfolded;
  if (ImGui::InvisibleButton("brief fold", {w, h})) {
    open = !open;
    s_.settings_changed();
  }
  const bool over = ImGui::IsItemHovered();
  tip(open ? "Fold the brief" : "Unfold the brief above the code");
  window_.layout.push_back({"brief fold", {p.x, p.y, p.x + w, p.y + h}});
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled(p, {p.x + w, p.y + h}, over ? t.hover : mix(t.panel, t.ground, 0.45f));
  focus_stop(3);
  draw_icon(d, open ? Icon::chevron_down : Icon::chevron_right, {p.x + px(18), p.y + h / 2}, px(10), t.muted);
  const float y = p.y + (h - fonts().small->FontSize) / 2, x = p.x + px(32);
  text_at(d, fonts().small, {x, y}, t.accent, "Brief");
  const float label = text_size(fonts().small, "Brief").x + px(12);
  if (!open) text_at(d, fonts().small, {x + label, y}, t.text, to_do(s_.view()->brief), w - label - px(44));
  if (!open) return;
  ImGui::PushStyleColor(ImGuiCol_ChildBg, mix(t.panel, t.ground, 0.18f));
  ImGui::BeginChild("folded brief", {0, std::floor(ImGui::GetContentRegionAvail().y * 0.42f)});
  draw();
  ImGui::EndChild();
  ImGui::PopStyleColor();
}

}  // namespace dojo::gui
