#pragma once
// What an empty plot says: that nothing ran yet, or what kept the run from having figures.
#include <string>

#include "gui/model/session/step_view.hpp"

namespace dojo::gui {

/// `wanted`: what the plot would show ("its waves"); `otherwise`: what is said of a run that ended well.
/// `yours`: the run is of the student's own file.
std::string no_figures(const StepView&, bool yours, const std::string& wanted, const std::string& otherwise);
/// The same of the roofline, which needs a formula for the operations of `what` ("step", "program").
std::string no_roofline(const StepView&, bool yours, const std::string& what);

}  // namespace dojo::gui
