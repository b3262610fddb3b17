#pragma once
// What the lecturer sees in the second window.
#include <string>

namespace dojo::gui {

class Session;

struct PresenterPage {
  std::string title, notes;            ///< of the slide that is shown
  std::string next_title, next_words;  ///< of the one that follows; empty at the end
  std::string position;                ///< "3 / 12"
  std::string elapsed;                 ///< "1:02:09" or "4:31"
  std::string state;                   ///< "covered: space shows it", "running 40 %", or empty
  std::string answer;                  ///< while the slide is covered: what will be shown
};
PresenterPage presenter_page(const Session&);
/// "4:31", "1:02:09".
std::string clock_text(double seconds);

}  // namespace dojo::gui
