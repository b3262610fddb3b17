// The code under the source: listed by a second worker, so that it comes while a run goes on too.
#include "core/text/error_words.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

const CodeUnder* Session::code_under(bool reference) {
  auto* v = view();
  if (!v || !v->loaded || !make_lister_ || stored()) return nullptr;
  CodeUnder& c = v->code[reference];
  const uint64_t version = reference ? 1 : v->text.version();
  if (c.seen_version != version) c.seen_version = version, c.seen_at = now_;
  // Counts take a run: they come once this text has run here, and without an error that ended it.
  const RunReport* run = !v->has_report ? nullptr
                         : reference    ? reference_run(v->report)
                         : v->stale()   ? nullptr
                                        : student_run(v->report);
  const bool counts = run && !running_ && (correct(*run) || run->status == Status::wrong);
  const bool fresh = c.known && c.version == version && c.device == device() && (c.counts || !counts) &&
                     (!c.counts || c.size == size());
  // Between key strokes, wait for a pause.
  if (fresh || listing_ || (c.known && now_ - c.seen_at < 0.35)) return &c;
  run::RunRequest r;
  r.step = v->id;
  r.code = true;
  r.who = reference ? run::Who::reference : run::Who::student;
  r.device = device();
  r.code_counts = counts;
  if (counts) r.size = size();
  if (!reference) {
    r.student_file = catalog_.student_file(*step_).string();
    r.student_source = v->text.text();
  }
  as_program(r);
  c.known = true;
  c.version = version;
  c.device = r.device;
  c.counts = counts;
  c.size = r.size;
  try {
    if (!lister_) lister_ = make_lister_();
    lister_->start(r);
    listing_ = &c;
    listing_step_ = v->id;
  } catch (const std::exception& e) {
    c.error = error_words(e);
  }
  return &c;
}

bool Session::tick_listing() {
  if (!listing_) return false;
  bool news = false;
  for (int k = 0; k < 16 && listing_; ++k) {
    auto e = lister_->poll();
    if (!e) break;
    if (e->kind == run::WorkerEvent::progress || e->kind == run::WorkerEvent::printed) continue;
    // Views may have been dropped meanwhile (the labs were read again).
    auto* v = view_of(listing_step_);
    const bool there = v && (listing_ == &v->code[0] || listing_ == &v->code[1]);
    if (there) {
      listing_->error.clear();
      if (e->code)
        listing_->listing = e->code;
      else
        listing_->error = e->kind == run::WorkerEvent::died
                              ? "The worker ended without an answer: " + e->text +
                                    ". Edit or reopen this pane to try again."
                              : e->text;
      ++listing_->serial;
    }
    listing_ = nullptr;
    news = true;
  }
  if (listing_ && !lister_->busy()) {
    listing_->error = "The worker gave no answer. Close and open this pane to try again.";
    listing_ = nullptr;
    news = true;
  }
  return news;
}

}  // namespace dojo::gui
