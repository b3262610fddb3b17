#pragma once
// The card that opens instead of closing the window when text could neither be saved nor kept as a draft, as
// on a full disk or in a home folder that can't be written.
#include "gui/model/session/session.hpp"

namespace dojo::gui {

class LosingCard {
 public:
  void draw(Session&, bool fresh);

 private:
  char path_[512] = {};  ///< where a copy goes
  std::string problem_;  ///< of the last try
  std::string of_;       ///< the step whose text it asks about
};

}  // namespace dojo::gui
