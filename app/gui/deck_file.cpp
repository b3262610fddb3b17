#include "gui/deck_file.hpp"

#include <fmt/format.h>
#include <imgui.h>

#include <chrono>
#include <thread>

#include "core/error.hpp"
#include "core/text/error_words.hpp"
#include "gui/look.hpp"
#include "gui/panels/ui.hpp"
#include "gui/vector/vector.hpp"

namespace dojo::gui {

namespace {
constexpr float width = 1600, height = 900, scale = 1.35f;
constexpr float points = 0.6f;     // a pixel on paper
constexpr float least_points = 8;  // a source's type is no smaller

/// Makes another ImGui context and look current for a while.
class Stage {
 public:
  Stage(ImGuiContext* own, const Look& look) : before_(ImGui::GetCurrentContext()), look_(look_now()) {
    ImGui::SetCurrentContext(own);
    set_look(look);
    set_for_print(true);
  }
  ~Stage() {
    set_for_print(false);
    set_look(look_);
    ImGui::SetCurrentContext(before_);
  }

 private:
  ImGuiContext* before_;
  Look look_;
};
Look print_look;
}  // namespace

DeckFile::DeckFile(Session& s)
    : s_(s),
      talk_(s.lectern.talk),
      ui_state_(s.ui),
      motion_(s.motion),
      motion_step_(s.recorder.step),
      motion_reference_(s.recorder.reference) {
  if (s.step()) step_ = s.step()->id();
  s.lectern.begin_file();
  before_ = ImGui::GetCurrentContext();
  const Look kept = look_now();
  own_ = ImGui::CreateContext();  // with an atlas of its own: another size
  ImGui::SetCurrentContext(own_);
  ImGuiIO& io = ImGui::GetIO();
  io.IniFilename = nullptr;
  io.DisplaySize = {width, height};
  io.MousePos = {-FLT_MAX, -FLT_MAX};
  build_fonts(scale, true);
  set_theme(s.lectern.exporting.pdf ? "light" : "dark", scale);
  vector_style();
  print_look = look_now();
  set_look(kept);
  ImGui::SetCurrentContext(before_);
  ui_ = std::make_unique<Ui>(s_);
  try {
    if (s.lectern.exporting.pdf) pdf_ = std::make_unique<PdfFile>(s.lectern.exporting.file);
  } catch (const Error& e) {
    error_ = e.what();
    end();
  }
}

DeckFile::~DeckFile() {
  if (!over_) end();
  ui_.reset();
  pdf_.reset();  // its fonts are the context's
  ImGui::DestroyContext(own_);
  if (before_ != own_) ImGui::SetCurrentContext(before_);
}

void DeckFile::begin_slide() {
  auto& e = s_.lectern.exporting;
  s_.lectern.talk.deck = e.deck;
  s_.lectern.talk.at = int(at_);
  s_.lectern.talk.revealed = true;
  s_.lectern.talk.notes = e.pdf && !(e.deck.slides[at_].notes + e.deck.slides[at_].question).empty();
  s_.ui = {};
  s_.ui.lecture = true;
  ui_->window.printed = {};
  ui_->window.printed.page = 0;
  ui_->window.printed.least_type = least_points / points;
  const Slide& slide = e.deck.slides[at_];
  if (!slide.step.empty()) s_.open(slide.step);
  if (slide.show == "motion") {
    auto it = e.traces.find(at_);
    if (it != e.traces.end())
      s_.lectern.show_trace(slide, it->second);
    else
      s_.motion.clear();
  }
  begun_ = true;
}

void DeckFile::draw(int frames) {
  for (int k = 0; k < frames; ++k) {
    ImGui::GetIO().DeltaTime = 1.0f / 60;
    ImGui::NewFrame();
    ui_->frame();
    ImGui::Render();
  }
}

void DeckFile::keep() {
  auto& t = theme();
  const Slide& slide = s_.lectern.exporting.deck.slides[at_];
  if (pdf_) {
    pdf_->heading(slide.title);
    keep_page();
    // A long source goes on on pages of its own.
    for (int k = 1; k < int(ui_->window.printed.pages.pages.size()); ++k) {
      ui_->window.printed.page = k;
      s_.lectern.talk.notes = false;
      draw(2);
      keep_page();
    }
    ui_->window.printed.page = 0;
    return;
  }
  std::string svg;
  auto part = [&]() -> Part {
    for (auto& [name, r] : ui_->window.layout)
      if (name == "show") return {r.x, r.y, r.z - r.x, r.w - r.y};
    return {};
  };
  if (needs_run(slide)) {
    svg = to_svg(*ImGui::GetDrawData(), part(), t.panel);
    // Slow motion moves: the stop and what comes next.
    for (int k = 0; slide.show == "motion" && k < 2 && s_.motion.trace(); ++k) {
      if (!s_.motion.forward()) break;
      draw(2);
      svg += "\n" + to_svg(*ImGui::GetDrawData(), part(), t.panel);
    }
  }
  pictures_.push_back(std::move(svg));
}

void DeckFile::keep_page() {
  pdf_->page(*ImGui::GetDrawData(), {0, 0, width, height}, theme().panel);
  Page p{at_};
  const auto& all = ui_->window.printed.pages.pages;
  if (size_t(ui_->window.printed.page) < all.size() && !all[size_t(ui_->window.printed.page)].empty()) {
    p.first_line = all[size_t(ui_->window.printed.page)].front().line + 1;
    p.last_line = all[size_t(ui_->window.printed.page)].back().line + 1;
  }
  pages_.push_back(p);
}

float DeckFile::type() const {
  return ui_->window.printed.pages.type * print_look.fonts.mono->FontSize * points;
}

bool DeckFile::step() {
  if (over_) return false;
  try {
    if (s_.running()) return true;
    if (!begun_) begin_slide();
    {
      const Stage stage(own_, print_look);
      draw(3);
      // A map wants a block's steps: they are being recorded now.
      if (s_.running()) return true;
      keep();
    }
    begun_ = false;
    if (++at_ < s_.lectern.exporting.deck.slides.size()) return true;
    if (pdf_)
      pdf_->finish();
    else if (std::string problem = replace_file(s_.lectern.exporting.file,
                                                deck_html(s_.lectern.exporting.deck, s_.catalog(), pictures_,
                                                          [this](const std::string& step) -> const Report* {
                                                            auto* v = s_.view_of(step);
                                                            return v && v->has_report ? &v->report : nullptr;
                                                          }));
             !problem.empty())
      throw Error(problem);
  } catch (const std::exception& e) {
    error_ = error_words(e);
  }
  end();
  return false;
}

void DeckFile::end() {
  over_ = true;
  auto& e = s_.lectern.exporting;
  if (!error_.empty())
    s_.toast(error_, Tone::bad);
  else if (!e.problems.empty())
    s_.toast(fmt::format("The deck is in {}. {} slide{} could not run: {}", e.file.string(),
                         e.problems.size(), e.problems.size() == 1 ? "" : "s", e.problems.front()),
             Tone::warn);
  else
    s_.toast("The deck is in " + e.file.string(), Tone::good);
  if (!step_.empty()) s_.open(step_);
  s_.ui = ui_state_;
  s_.lectern.talk = talk_;
  s_.motion = motion_;
  s_.recorder.step = motion_step_;
  s_.recorder.reference = motion_reference_;
  s_.lectern.end_file();
}

namespace {
void work_until_idle(Session& s, const std::function<void()>& each) {
  static const auto start = std::chrono::steady_clock::now();
  while (s.running()) {
    s.tick(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    if (each) each();
    std::this_thread::sleep_for(std::chrono::milliseconds(4));
  }
}
}  // namespace

std::string write_deck(Session& s) {
  work_until_idle(s, {});
  if (!s.lectern.exporting.ready) return "The runs of the deck did not end.";
  DeckFile file(s);
  while (file.step()) work_until_idle(s, {});
  return file.error();
}

void export_deck(const std::filesystem::path& root, const std::string& lab_or_deck,
                 const std::filesystem::path& out, const std::string& device,
                 const std::function<void(const std::string&)>& say) {
  Session s(load_catalog(root), make_worker_runner(), Places{});
  s.set_instructor(true);  // a lecturer's call: no progress is here that could unlock anything
  const bool deck = lab_or_deck.ends_with(".toml");
  if (deck) {
    s.lectern.talk.deck = load_deck(lab_or_deck, &s.catalog());
    s.ui.lecture = true;
  }
  const Lab* lab = s.catalog().find_lab(deck ? s.lectern.talk.deck.lab : lab_or_deck);
  if (!lab || lab->steps.empty())
    throw Error("there is no lab '" + (deck ? s.lectern.talk.deck.lab : lab_or_deck) +
                "'; warpdojo list shows them");
  s.open(lab->steps.front().id());
  s.settings.device = device;  // empty: each slide's own
  if (!s.lectern.write_file(out))
    throw Error(s.toasts().empty() ? "the deck can't be exported" : s.toasts().back().text);
  std::string last;
  work_until_idle(s, [&] {
    if (s.jobs.line().running && s.jobs.line().now.says != last && say)
      say(fmt::format("{} of {}: {}", s.jobs.line().done + 1, s.jobs.line().total,
                      last = s.jobs.line().now.says));
  });
  const std::vector<std::string> problems = s.lectern.exporting.problems;
  if (std::string error = write_deck(s); !error.empty()) throw Error(error);
  for (auto& p : problems)
    if (say) say(p);
}

}  // namespace dojo::gui
