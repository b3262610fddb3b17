// Lecture mode: one slide fills the window; large type, high contrast, nothing that jumps.
#include <fmt/format.h>
#include <imgui_internal.h>

#include <algorithm>
#include <utility>

#include "gui/look.hpp"
#include "gui/model/text/brief.hpp"
#include "gui/panels/markdown_view.hpp"
#include "gui/panels/motion/slow_motion.hpp"
#include "gui/panels/plots/plots.hpp"
#include "gui/panels/step/source.hpp"
#include "gui/panels/teaching/lecture_view.hpp"
#include "gui/panels/widgets.hpp"

namespace dojo::gui {

namespace {
/// Sizes of the slide's margins and its foot. Type is large, so margins are narrow.
float slide_edge() { return px(26); }
float slide_foot_height() { return px(28); }

constexpr float most_notes = 0.45f;    ///< of the sheet's height
constexpr float widest_words = 0.52f;  ///< of the sheet, beside a plot
/// Width of the words beside a plot: of their code where that asks for more than a third of the sheet.
float words_width(const std::vector<MdBlock>& blocks, float sheet) {
  return std::clamp(least_width(blocks), sheet * 0.36f, sheet * widest_words);
}

/// Words in the middle of a place, each line centred, at most a share of its width. Returns where the lines
/// begin and end.
std::pair<float, float> centred(ImFont* f, ImVec2 at, ImVec2 size, float share, ImU32 colour,
                                const std::string& words) {
  const auto lines = wrapped_lines(f, words, size.x * share);
  const float top = at.y + (size.y - f->FontSize * float(lines.size())) / 2;
  float y = top;
  for (const std::string& line : lines) {
    text_at(ImGui::GetWindowDrawList(), f, {at.x + (size.x - text_size(f, line).x) / 2, y}, colour, line);
    y += f->FontSize;
  }
  return {top, y};
}

/// A frame in the place of what is shown, with words in its middle. Returns their top.
float frame_words(ImVec2 at, ImVec2 size, float share, ImU32 colour, const std::string& words) {
  ImGui::GetWindowDrawList()->AddRect({at.x + 1, at.y + 1}, {at.x + size.x - 1, at.y + size.y - 1},
                                      theme().border, px(12));
  return centred(fonts().ui, at, size, share, colour, words).first;
}

/// The notes. On paper nothing is covered, so the question stands with them: notes often answer it.
std::string notes_words(const Slide& slide) {
  if (!for_print() || slide.question.empty()) return slide.notes;
  return slide.question + (slide.notes.empty() ? "" : "\n" + slide.notes);
}
}  // namespace

float slide_notes_height(const Session& s) {
  auto* slide = s.lectern.talk.slide();
  if (!s.lectern.talk.notes || !slide) return 0;
  // As tall as they are, up to a part of the slide: then they scroll.
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float wrap = screen.x - 2 * slide_edge();
  const float words =
      fonts().aside->CalcTextSizeA(fonts().aside->FontSize, FLT_MAX, wrap, notes_words(*slide).c_str()).y;
  return std::clamp(words + px(26), px(48), screen.y * most_notes);
}

void LectureView::keys() {
  auto& talk = s_.lectern.talk;
  auto* slide = talk.slide();
  auto pressed = [](int k) { return ImGui::IsKeyPressed(k, false); };
  // Arrows turn slides here; ImGui's own walk over buttons would draw its frame around them. Tab's ring
  // stays.
  for (int k : {key::space, key::right, key::left, key::page_down, key::page_up, key::home})
    if (pressed(k)) window_.walked = false;
  if (pressed(key::space)) s_.commands.run("lecture.on");
  if (pressed(key::right) || pressed(key::page_down)) s_.commands.run("lecture.next");
  if (pressed(key::left) || pressed(key::page_up)) s_.commands.run("lecture.back");
  if (pressed(key::home)) talk.at = 0, talk.revealed = false, s_.lectern.show();
  if (pressed('N') && !ImGui::GetIO().KeyCtrl) talk.notes = !talk.notes;
  if (slide->show == "source" || slide->show == "reference") {
    CodeView& code = slide->show == "source" ? window_.code : window_.reference_code;
    if (ImGui::IsKeyPressed(key::down)) code.scroll(3);
    if (ImGui::IsKeyPressed(key::up)) code.scroll(-3);
  }
  if (slide->show == "motion" && s_.motion.trace()) {
    auto& m = s_.motion;
    if (ImGui::IsKeyPressed(key::period)) m.playing = false, m.forward();
    if (ImGui::IsKeyPressed(key::comma)) m.playing = false, m.back();
    if (pressed('P')) m.playing = !m.playing;
    if (pressed('S')) m.playing = false, m.run_on();
  }
}

void LectureView::draw() {
  auto& t = theme();
  auto& talk = s_.lectern.talk;
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled({0, 0}, screen, t.panel);
  if (talk.slide() && !s_.ui.shows(Overlay::palette) && !s_.ui.shows(Overlay::help)) keys();
  auto* slide = talk.slide();
  if (!slide) {
    s_.lectern.close();
    return;
  }
  fresh_ = slide_at_ != talk.at;
  slide_at_ = talk.at;
  if (fresh_)  // the maps open at the slide's line, else where most is lost
    plots_.open_maps_at(slide->line);
  // The layout does not depend on what ran or is covered, so that no part moves during the talk. On the
  // screen the notes lie over the foot of the slide; in a file they have room of their own.
  window_.layout.clear();
  const float pad = slide_edge(), foot = slide_foot_height(), notes_h = slide_notes_height(s_),
              reserved = for_print() ? notes_h : 0;
  const ImVec2 p = {pad, px(18)};
  if (!for_print()) window_.printed.pages = {};
  const int sheets = int(window_.printed.pages.pages.size());
  text_at(d, fonts().slide_title, p, t.text,
          sheets > 1 ? fmt::format("{} ({} of {})", slide->title, window_.printed.page + 1, sheets)
                     : slide->title,
          screen.x - pad * 2);
  place("title", p.x, p.y, screen.x - pad, p.y + fonts().slide_title->FontSize);
  ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, {px(8), px(6)});
  draw_body(p.y + fonts().slide_title->FontSize + px(12), screen.y - foot - px(8) - reserved);
  if (talk.notes) draw_notes();
  ImGui::PopStyleVar();
  draw_foot();
}

void LectureView::place(const char* name, float x0, float y0, float x1, float y1) {
  window_.layout.push_back({name, {x0, y0, x1, y1}});
}

/// The slide's words, without its title: the plot has none, the slide has one.
std::vector<MdBlock> LectureView::words() const {
  auto* v = s_.view();
  // A covered number has its room already: the blocks' widths are those of the words without a run.
  auto blocks = render_brief(s_.lectern.talk.slide()->text, s_.step(),
                             v && v->has_report && !s_.lectern.talk.covered() ? &v->report : nullptr);
  if (!blocks.empty() && blocks.front().kind == MdBlock::heading && blocks.front().level == 1)
    blocks.erase(blocks.begin());
  return blocks;
}

void LectureView::draw_body(float top, float bottom) {
  auto* slide = s_.lectern.talk.slide();
  const bool text = !slide->text.empty(), shows = !slide->show.empty();
  const std::vector<MdBlock> blocks = text ? words() : std::vector<MdBlock>{};
  const float pad = slide_edge(), sheet = ImGui::GetIO().DisplaySize.x - pad * 2;
  // Code that is too wide to stand beside what is shown stands above it.
  const bool above = text && shows && least_width(blocks) > sheet * widest_words;
  const float text_w = !shows || above ? sheet : text ? words_width(blocks, sheet) : 0;
  if (above) {
    ImGui::SetCursorScreenPos({pad, top});
    ImGui::BeginGroup();
    draw_markdown(blocks, sheet, 1.28f);
    ImGui::EndGroup();
    const float words_end = std::min(ImGui::GetItemRectMax().y + px(4), bottom - px(60));
    place("text", pad, top, pad + sheet, words_end);
    top = words_end;
  } else if (text) {
    place("text", pad, top, pad + text_w, bottom);
    ImGui::SetCursorScreenPos({pad, top});
    ImGui::BeginChild("slide text", {text_w, bottom - top});
    // Words alone fill the slide.
    const Look usual = look_now();
    if (!shows) {
      Look large = usual;
      large.fonts.ui = usual.fonts.slide;
      large.fonts.strong = usual.fonts.slide_strong;
      large.fonts.mono = usual.fonts.slide_mono;
      set_look(large);
    }
    draw_markdown(blocks, 0, 1.28f);
    set_look(usual);
    ImGui::EndChild();
  }
  if (!shows) return;
  const float x = text && !above ? pad + text_w + px(20) : pad;
  const ImVec2 size = {pad + sheet - x, bottom - top};
  place("show", x, top, x + size.x, bottom);
  ImGui::SetCursorScreenPos({x, top});
  ImGui::BeginChild("slide show", size, false, ImGuiWindowFlags_NoScrollbar);
  draw_shown({x, top}, size);
  ImGui::EndChild();
}

void LectureView::draw_shown(ImVec2 at, ImVec2 size) {
  auto& t = theme();
  auto* slide = s_.lectern.talk.slide();
  auto* v = s_.view();
  if (s_.lectern.talk.covered()) {
    draw_question(at, size);
  } else if (s_.lectern.locked()) {
    const float top =
        frame_words(at, size, 0.7f, t.muted,
                    "The reference is locked until this step is passed. Lecturers: Ctrl+P, Instructor mode.");
    draw_icon(ImGui::GetWindowDrawList(), Icon::lock, {at.x + size.x / 2, top - px(24)}, px(22), t.muted);
  } else if (slide->show == "source" && v && for_print()) {
    window_.printed.draw(v->text.lines(), v->heat, ImGui::GetContentRegionAvail(), slide_notes_height(s_));
  } else if (slide->show == "source" && v) {
    CodeSpec spec;
    spec.wrap = true;
    spec.says_more = spec.whole_rows = true;
    spec.line_distance = slide_line_distance;
    spec.heat = &v->heat;
    spec.marks = &v->marks;
    if (fresh_) spec.go_line = slide->line;
    window_.code.draw("slide code", v->text, spec, size);
  } else if (slide->show == "reference" && v) {
    if (fresh_) window_.reference_line = slide->line;
    source_.reference();
  } else if (slide->show == "motion" && v) {
    motion_.draw(ImGui::GetContentRegionAvail(), true);
  } else if (v && !v->has_report) {
    // The plot's place while there is nothing in it.
    const std::string words = s_.running() ? "Runs…" : !v->error.empty() ? v->error : "F5 runs it";
    frame_words(at, size, 0.76f, v->error.empty() || s_.running() ? t.muted : t.bad, words);
  } else if (v) {
    plots_.plot(slide->show, ImGui::GetContentRegionAvail());
  }
}

/// The question that covers what the slide shows.
void LectureView::draw_question(ImVec2 at, ImVec2 size) {
  auto& t = theme();
  auto* slide = s_.lectern.talk.slide();
  ImDrawList* d = ImGui::GetWindowDrawList();
  d->AddRectFilled(at, {at.x + size.x, at.y + size.y}, t.raised, px(12));
  const std::string q = slide->question.empty() ? "What do you expect?" : slide->question,
                    hint = "space shows it";
  const float end = centred(fonts().slide_title, {at.x, at.y - px(16)}, size, 0.86f, t.text, q).second;
  text_at(d, fonts().ui, {at.x + (size.x - text_size(fonts().ui, hint).x) / 2, end + px(24)}, t.muted, hint);
}

void LectureView::draw_notes() {
  auto& t = theme();
  auto* slide = s_.lectern.talk.slide();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  const float height = slide_notes_height(s_), y = screen.y - slide_foot_height() - height;
  // A window of its own, with its ground: it lies over the slide's.
  ImGui::SetCursorScreenPos({0, y});
  ImGui::PushStyleColor(ImGuiCol_ChildBg, t.raised);
  ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {slide_edge(), px(10)});
  ImGui::BeginChild(("notes " + std::to_string(s_.lectern.talk.at)).c_str(), {screen.x, height}, false,
                    ImGuiWindowFlags_AlwaysUseWindowPadding);
  ImGui::PopStyleVar();
  ImGui::PopStyleColor();
  const std::string words = notes_words(*slide);
  text_wrapped_in(fonts().aside, t.muted, words.empty() ? "No notes for this slide." : words);
  ImGui::EndChild();
}

void LectureView::draw_foot() {
  auto& t = theme();
  auto& talk = s_.lectern.talk;
  auto* slide = talk.slide();
  const ImVec2 screen = ImGui::GetIO().DisplaySize;
  ImDrawList* d = ImGui::GetWindowDrawList();
  // Where we are; a run's progress never moves anything.
  const float pad = slide_edge(), foot = slide_foot_height(), fy = screen.y - foot;
  place("foot", 0, fy, screen.x, screen.y);
  int n = int(talk.deck.slides.size());
  d->AddRectFilled({0, fy}, {screen.x, fy + std::max(1.0f, px(1))}, t.border);
  d->AddRectFilled({0, fy}, {screen.x * float(talk.at + 1) / float(std::max(1, n)), fy + px(2)}, t.accent);
  std::string left = talk.deck.title + (s_.step() ? "   ·   " + s_.step()->id() : ""),
              right = fmt::format("{} / {}", talk.at + 1, n);
  if (s_.lectern.device().starts_with("rec:")) left += "   ·   from a recording";
  if (s_.running()) left += fmt::format("   ·   running {:.0f} %", 100 * s_.work_share());
  text_at(d, fonts().small, {pad, fy + (foot - fonts().small->FontSize) / 2}, t.muted, left,
          screen.x - pad * 2 - text_size(fonts().small, right).x - px(16));
  float rw = text_size(fonts().small, right).x;
  text_at(d, fonts().small, {screen.x - pad - rw, fy + (foot - fonts().small->FontSize) / 2}, t.muted, right);
  if (for_print()) return;
  // Only keys that do something here.
  const bool covered = talk.covered(), steps = slide->show == "motion" && !covered && !s_.lectern.locked();
  const std::string turns = covered ? "← → slides   space shows" : "← → slides";
  const std::string keys = steps ? ", . step   P plays   S next stop   ← → slides   F11 ends"
                                 : turns + "   N notes   Ctrl+N notes window   F11 ends";
  // All of the keys, the most needed ones, or none: never over the place in the deck. The first slide says
  // how to leave: who came by accident is there.
  const float from = pad + text_size(fonts().small, left).x + px(24), to = screen.x - pad - rw - px(28);
  place("foot left", pad, fy, from - px(24), screen.y);
  for (const std::string& words : {keys, std::string(talk.at == 0 ? "← → slides   F11 ends" : ""),
                                   talk.at == 0 ? "F11 ends"
                                   : steps      ? ", . step   S next stop"
                                                : turns,
                                   std::string("F1 keys")}) {
    if (words.empty()) continue;
    const float w = text_size(fonts().small, words).x;
    if (to - w < from) continue;
    place("foot keys", to - w, fy, to, screen.y);
    text_at(d, fonts().small, {to - w, fy + (foot - fonts().small->FontSize) / 2}, t.faint, words);
    break;
  }
}

}  // namespace dojo::gui
