#include "gui/bench.hpp"

namespace dojo::gui {

Measured& measured() {
  static Measured m;
  return m;
}

}  // namespace dojo::gui
