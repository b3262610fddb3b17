#pragma once
// The clock under the block timeline: it plays the launch, and says what the blocks do at its time.
#include <string>
#include <utility>
#include <vector>

#include "gui/model/plots/playback.hpp"
#include "gui/panels/window_state.hpp"
#include "gui/plot/frame.hpp"

namespace dojo::gui {

/// Below the area `a`. `runs`: what is played, with the name of whose it is; `end`: of the axis, µs.
void draw_clock(Playback&, const std::vector<std::pair<const Timeline*, std::string>>& runs, double end,
                const ReportDevice&, const PlotArea& a, WindowState&);

}  // namespace dojo::gui
