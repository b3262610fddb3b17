// Which plots there are: key, title, family, what each says.
#include "gui/model/plots/plots.hpp"

namespace dojo::gui {

const char* to_string(Series s) {
  switch (s) {
    case Series::student:
      return "You";
    case Series::reference:
      return "Reference";
    case Series::previous:
      return "Previous step";
    case Series::library:
      return "Library";
    case Series::published:
      return "Published";
  }
  return "";
}

const char* to_string(PlotFamily f) {
  switch (f) {
    case PlotFamily::time:
      return "Time";
    case PlotFamily::memory:
      return "Memory";
    case PlotFamily::warps:
      return "Warps";
    case PlotFamily::blocks:
      return "Blocks";
  }
  return "";
}

const std::vector<PlotInfo>& plot_infos() {
  static const std::vector<PlotInfo> all = {
      {"time", "Time", Measure::speed, "Time on the device, shorter is better",
       "The time of all kernels of one run, as a profiler counts it: with the start of each launch and what "
       "is left to do after its last block. Copies don't count. Modelled times come from the machine's time "
       "model, measured ones from a real GPU; a whisker "
       "shows the spread of measured samples. Published figures (hatched) are of the same size, on the GPU "
       "they name; a bar that is cut goes on.",
       PlotFamily::time},
      {"bandwidth", "Bandwidth", Measure::rate, "Effective bandwidth",
       "The bytes that the problem must read and write at least once, divided by the time. The line is the "
       "memory's peak: a kernel that only moves data can come close to it, and no further.",
       PlotFamily::memory},
      {"timeline", "Timeline", Measure::other, "Which block ran when, on which SM",
       "One row per SM, time to the right, every block a bar. Shaded ground: SMs with nothing left to do, "
       "the tail. Your run is above, the reference below, on one time axis. Zoom with the wheel, drag to "
       "pan, drag with the right button for a box, double-click for all.",
       PlotFamily::blocks},
      {"streams", "Streams", Measure::other, "Copies and kernels by stream",
       "One row for the host, one per direction of copies over the link, one per stream with its kernels. "
       "Time goes to the right, from the call of your function. Bars above one another overlap; a row "
       "without a bar is idle. Your run is above, the reference below. The host's bars are calls that keep "
       "it busy or waiting.",
       PlotFamily::blocks},
      {"waves", "Waves", Measure::other, "How full each wave of blocks is",
       "A GPU takes as many blocks at once as fit: SMs × blocks per SM. That is a wave. The last wave is "
       "often only partly full, and the SMs without a block wait for it. Utilisation is blocks over whole "
       "waves' room.",
       PlotFamily::blocks},
      {"occupancy", "Occupancy", Measure::other, "What limits the warps on an SM",
       "Resident warps over the SM's warp slots. Registers, shared memory, threads and the block limit each "
       "allow some number of blocks; the smallest of them counts. More warps hide more latency, up to a "
       "point.",
       PlotFamily::warps},
      {"roofline", "Roofline", Measure::rate, "Speed against arithmetic intensity",
       "Left of the ridge the memory's peak is the roof, right of it the arithmetic's. A point near its roof "
       "has little left to gain at its intensity; one far below is held up by something else: latency, "
       "conflicts, idle lanes.",
       PlotFamily::memory},
      {"stalls", "Stalls", Measure::other, "Why warps waited",
       "For every issued instruction, how many warps on average sat waiting for each reason. The tallest bar "
       "names what to change: long scoreboard is global memory, short scoreboard and MIO are shared memory, "
       "barrier is __syncthreads.",
       PlotFamily::warps},
      {"bounds", "Bounds", Measure::speed, "How long each resource alone would need",
       "If everything else were free, each part of the GPU would need this long for the run's work. The "
       "longest bar binds; the run can't be shorter than that without doing less of it.",
       PlotFamily::time},
      {"divergence", "Lanes", Measure::other, "Lanes at work in an average instruction",
       "A warp instruction drives 32 lanes. Active lanes took this path; those with their predicate on also "
       "did the work. The rest of the width is lost.",
       PlotFamily::warps},
      {"bankmap", "Banks", Measure::other, "Lanes in the 32 banks of shared memory",
       "Shared memory has 32 banks of 4 bytes. Lanes that meet in one bank with different words are served "
       "one after the other: each takes one more wavefront, a pass through the 32 banks. Choose a pattern "
       "and see who meets; the table holds what your lines really did.",
       PlotFamily::memory},
      {"addresses", "Addresses", Measure::other, "32 lanes and the sectors they touch",
       "Global memory moves in sectors of 32 bytes. Consecutive lanes that read consecutive words share "
       "sectors; a stride spreads them, and most of each sector is thrown away. Choose a pattern; the table "
       "holds your lines.",
       PlotFamily::memory},
      {"sweep", "Sweep", Measure::other, "The figure of merit over the size",
       "The same kernels over many sizes. Small sizes are bound by the launch, medium ones by caches, large "
       "ones by memory. Start it with Run, Sweep over sizes; Sweep all tiers puts the lab's other steps on "
       "the same axes. A curve without a name is named under the mouse.",
       PlotFamily::time},
      {"whatif", "What if", Measure::other, "Two dependent products, tile by tile",
       "No run: slots and tiles only, worked out as you move a slider. A slot is the room of one resident "
       "block on an SM. Each tile goes to the slot that is free first. In stream order the second product "
       "starts when the first has ended. With RowSync a tile waits for its row, with TileSync for each tile "
       "that it reads. Hatched: in its slot, waiting. Dashed: where stream order ends.",
       PlotFamily::blocks},
      {"history", "History", Measure::other, "Your runs of this step, one after the other",
       "Every run of this step that gave the right result, kept between starts. Lower is better.",
       PlotFamily::time},
  };
  return all;
}

const std::vector<PlotInfo>& inner_plot_infos() {
  static const std::vector<PlotInfo> all = {
      {"bankpattern", "A pattern", Measure::other, "Lanes in the 32 banks, for a pattern",
       "A pattern to play with, not your run: element i of the warp's access stands at i × stride. Lanes "
       "stacked in one bank are served one after the other; padding moves rows apart, a swizzle mixes them. "
       "The table below holds your lines."},
      {"addresspattern", "A pattern", Measure::other, "32 lanes and their sectors, for a pattern",
       "A pattern to play with, not your run: a stride spreads 32 lanes over more sectors of 32 bytes, and "
       "what no lane asked for was moved for nothing. The table below holds your lines."},
      {"lanes", "Lanes over time", Measure::other, "32 lanes over a warp's instructions",
       "Block 0, one warp: every instruction it executed from left to right, every lane a row, lit where the "
       "lane was active. Another colour: only some of the lanes were. A click chooses an instruction; the "
       "link above opens the slow motion there."},
      {"compare", "Two runs", Measure::other, "Time of A and of B",
       "The two runs chosen above on one axis: other texts of the kernel, other GPUs or other sizes. A line "
       "across the end of a bar is the spread of measured times; modelled times have none."},
  };
  return all;
}

const PlotInfo& plot_info(const std::string& key) {
  for (auto* list : {&plot_infos(), &inner_plot_infos()})
    for (auto& p : *list)
      if (key == p.key) return p;
  return plot_infos().front();
}

}  // namespace dojo::gui
