#include "gui/model/text/step_title.hpp"

namespace dojo::gui {

std::string step_number(const Lab& lab, const Step& step) {
  if (!step.number) return "";
  int before = 0, all = 0;
  for (auto& other : lab.steps) {
    if (other.number != step.number) continue;
    if (other.file == step.file) before = all;
    ++all;
  }
  return std::to_string(step.number) + (all > 1 ? std::string(1, char('a' + before % 26)) : "");
}

std::string step_title(const Lab& lab, const Step& step) {
  const std::string number = step_number(lab, step);
  return (number.empty() ? "" : number + ". ") + (step.title.empty() ? step.name : step.title);
}

}  // namespace dojo::gui
