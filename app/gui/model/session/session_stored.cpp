// A stored report in the window: a step whose view is the report, with the source read-only beside it.
#include "core/text/error_words.hpp"
#include "gui/model/session/session.hpp"
#include "run/stored/stored_report.hpp"

namespace dojo::gui {

bool Session::stored() const { return step_ && run::is_stored(*step_); }

bool Session::refuse_stored() {
  if (!stored()) return false;
  toast("This is a stored report: nothing runs or changes here. Open a step or a program to run it.");
  return true;
}

bool Session::open_file(const std::string& path) {
  const std::string kind = fs::path(path).extension().string();
  if (kind == ".cu") return open_program(path);
  if (kind == ".json") return open_report(path);
  return desk.open(path);
}

bool Session::open_report(const std::string& path) {
  if (ui.lecture) {
    toast("Close the lecture first (Esc), then open the report.");
    return false;
  }
  const std::string before = step_ ? step_->id() : "";
  try {
    run::StoredReport report = run::load_stored(catalog_, path);
    step_ = nullptr;  // its lab is among the labs now: the open step may move
    const std::string id = run::add_stored(catalog_, report).id();
    if (!open(id)) return false;
    auto& v = *view();
    auto text = std::make_shared<StandIn>();
    text->kind = StandIn::stored;
    text->label = report.file.filename().string();
    text->ran_on = report.ran_on();
    if (report.source_newer) text->words = "The source was written after the report: lines may have moved.";
    if (report.source.empty())
      text->words = "Its source was not found here.";
    else
      text->text = read_regular_file(report.source).value_or("");
    text->file = report.source;
    text->missing = true;
    v.stand_in = std::move(text);
    v.report_of = v.stand_in->label;
    v.report = std::move(report.report);
    v.has_report = true;
    v.shown_from = report.saved;
    v.device_of = v.report.device.name;
    v.error.clear();
    derive(v, "");
    refresh_lines(v);
    ui.tab = report.source.empty() ? UiState::Tab::brief : UiState::Tab::source;
    return true;
  } catch (const std::exception& e) {
    if (!before.empty()) step_ = &catalog_.find(before);
    toast(error_words(e), Tone::bad);
    return false;
  }
}

}  // namespace dojo::gui
