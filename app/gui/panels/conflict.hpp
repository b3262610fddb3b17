#pragma once
// The open file was edited here and by another program: both versions, and which one stays.
#include <cstdint>
#include <string>
#include <vector>

#include "gui/model/session/session.hpp"
#include "gui/model/text/diff.hpp"

namespace dojo::gui {

struct ConflictCard {
  void draw(Session&);

 private:
  std::vector<DiffLine> lines_;
  std::string of_;  ///< step and theirs, as last compared
  uint64_t version_ = 0;
};

}  // namespace dojo::gui
