#pragma once
// Runs a whole lab for its instructor: references, wrong versions, the files.
#include <string>
#include <vector>

#include "gui/model/teaching/instructor.hpp"

namespace dojo::gui {

class Session;

class LabRun {
 public:
  explicit LabRun(Session& s) : s_(s) {}
  std::vector<LabRow> rows;  ///< of the last run, or the one going on
  std::string of;            ///< its lab
  LabChoice choice;          ///< what runs next
  /// Runs all that is chosen of a lab, each step on its own device and size.
  bool start(const Lab&, const LabChoice&);

 private:
  Session& s_;
};

}  // namespace dojo::gui
