#pragma once
// A result to show or hand in: one page that needs nothing beside it.
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::gui {

/// `picture`: the name of a PNG in the same folder, shown at its end; may be empty.
std::string result_card(const Step&, const Report&, const std::string& when, const std::string& picture);

}  // namespace dojo::gui
