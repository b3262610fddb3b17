#pragma once
// The what-if panel: two dependent products, a tile, a GPU and a policy, forecast anew whenever one of them
// changes.
#include <array>
#include <string>
#include <vector>

#include "core/waves.hpp"
#include "gui/plot/table.hpp"

namespace dojo::gui {

/// C[m x n] = A[m x k] . B, then E[m x l] = C . D, in tiles of tile_m x tile_n.
struct WhatIfShape {
  int m = 12, n = 8, k = 8, l = 8;
  int tile_m = 4, tile_n = 4;
  int sms = 4, blocks_per_sm = 1;
  double rate = 256;  ///< operations per microsecond (the example: per unit) that an SM does; its blocks
                      ///< share it evenly
  double wait_us = 0, post_us = 0;
  bool operator==(const WhatIfShape&) const = default;
};

struct WhatIfPreset {
  const char* title;
  const char* says;
  WhatIfShape shape;
};
const std::vector<WhatIfPreset>& what_if_presets();

class WhatIfModel {
 public:
  WhatIfShape shape;  ///< set freely; update() reads it
  WaitPolicy policy = WaitPolicy::row;

  /// Works out the forecasts again when something changed; cheap otherwise. Sizes are brought into range
  /// first.
  void update();
  bool ok() const { return problem_.empty(); }
  const std::string& problem() const { return problem_; }
  const WhatIf& what() const { return what_; }
  const Forecast& of(WaitPolicy p) const { return all_[size_t(p)]; }
  const Forecast& chosen() const { return of(policy); }
  /// The example's GPU is a toy: its clock counts in units, as a toy device's does.
  bool in_units() const { return shape.rate == WhatIfShape{}.rate; }
  /// "1.2 ms", or "4 units".
  std::string time(double) const;
  double gain(WaitPolicy) const;  ///< stream order's time over the policy's; 1 when there is none
  double ideal_gain() const;      ///< stream order's time over the shortest possible
  /// "6 + 6 tiles, 4 slots: 2 + 2 waves, or 3"
  std::string headline() const;
  Table table() const;  ///< every tile of the chosen policy

 private:
  WhatIfShape seen_{.m = -1};
  WhatIf what_;
  std::array<Forecast, 3> all_;
  std::string problem_;
};

}  // namespace dojo::gui
