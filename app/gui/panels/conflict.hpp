#pragma once
// The card for a file that was edited here and by another program: shows both versions and asks which to
// keep.
#include <cstdint>
#include <string>
#include <vector>

#include "gui/model/session/session.hpp"
#include "gui/model/text/diff.hpp"

namespace dojo::gui {

struct ConflictCard {
  void draw(Session&, bool fresh);

 private:
  std::vector<DiffLine> lines_;
  std::string of_;  ///< step and text of the other program, as last compared
  uint64_t version_ = 0;
};

}  // namespace dojo::gui
