#include "gui/model/teaching/presenter.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "gui/model/plots/plots.hpp"
#include "gui/model/session/session.hpp"

namespace dojo::gui {

std::string clock_text(double seconds) {
  const int s = std::max(0, int(std::floor(seconds)));
  return s >= 3600 ? fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60)
                   : fmt::format("{}:{:02}", s / 60, s % 60);
}

PresenterPage presenter_page(const Session& s) {
  PresenterPage p;
  auto& talk = s.lectern.talk;
  auto* slide = talk.slide();
  if (!slide) return p;
  p.title = slide->title;
  p.notes = slide->notes;
  const int n = int(talk.deck.slides.size());
  p.position = fmt::format("{} / {}", talk.at + 1, n);
  p.elapsed = clock_text(s.now() - talk.began);
  if (talk.at + 1 < n) {
    auto& next = talk.deck.slides[size_t(talk.at + 1)];
    p.next_title = next.title;
    p.next_words = next.hide && !next.question.empty() ? next.question : next.notes;
  }
  if (talk.covered()) {
    p.state = "covered: space shows it";
    p.answer = needs_run(*slide) && slide->show != "motion"
                   ? std::string("Shows: ") + plot_info(slide->show).says + "."
                   : "";
  }
  if (s.running())
    p.state += fmt::format("{}running {:.0f} %", p.state.empty() ? "" : ", ", 100 * s.work_share());
  return p;
}

}  // namespace dojo::gui
