#pragma once
// A result to show or hand in: one page that needs nothing beside it.
#include <string>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::gui {

struct CardWords {
  std::string title;         ///< "Reduce › 5. Sequential addressing"
  std::string who = "You";   ///< whose run it is
  std::string when = {};     ///< "2026-03-14 15:09:26"
  std::string picture = {};  ///< the name of a PNG in the same folder, shown at the page's end; may be empty
};
std::string result_card(const Step&, const Report&, const CardWords&);
/// What it is a result of, on the page and in its picture: step, device, size, date.
std::string card_facts(const Step&, const Report&, const std::string& when);

}  // namespace dojo::gui
