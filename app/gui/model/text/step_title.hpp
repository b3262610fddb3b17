#pragma once
// How a step is called in lists and headings: "5. Sequential addressing", "1b. The wrong choice of threads".
#include <string>

#include "core/labs/lab.hpp"

namespace dojo::gui {

/// "5"; "1a", "1b" where several steps of the lab share a number, as their briefs are headed; "" without one.
std::string step_number(const Lab&, const Step&);
/// Number and title, or the name where there is no title.
std::string step_title(const Lab&, const Step&);

}  // namespace dojo::gui
