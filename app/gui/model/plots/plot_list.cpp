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

const char* key_of(Series s) {
  switch (s) {
    case Series::student:
      return "student";
    case Series::reference:
      return "reference";
    case Series::previous:
      return "previous";
    case Series::library:
      return "library";
    case Series::published:
      return "published";
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
       "The time of all kernels of one run, as a profiler counts it: from the start of each launch to the "
       "end "
       "of its last store. Copies don't count. Modelled times come from the time model, measured times from "
       "a GPU. A whisker shows the spread of measured samples. Published figures (hatched) are of this size, "
       "on the GPU they name. A cut bar is longer than the plot.",
       PlotFamily::time},
      {"bandwidth", "Bandwidth", Measure::rate, "Effective bandwidth",
       "The bytes that the problem must read and write at least once, divided by the time. The line is the "
       "peak of DRAM. No kernel that works on data in DRAM can exceed it.",
       PlotFamily::memory},
      {"timeline", "Timeline", Measure::other, "Which block ran when, on which SM",
       "One row per SM, one bar per block, time to the right. Shaded ground: the tail, in which SMs have no "
       "block left. Your run is above, the reference below, on one time axis. Zoom with the wheel, drag to "
       "pan, drag with the right button for a box, double-click for all.",
       PlotFamily::blocks},
      {"streams", "Streams", Measure::other, "Copies and kernels by stream",
       "One row for the host, one per direction of copies over the link, one per stream with its kernels. "
       "Time goes to the right, from the call of your function. Bars above one another overlap; a row "
       "without a bar is idle. Your run is above, the reference below. The host's bars are calls that keep "
       "it busy or waiting.",
       PlotFamily::blocks},
      {"waves", "Waves", Measure::other, "How full each wave of blocks is",
       "A wave is as many blocks as fit on the GPU at once: SMs × resident blocks per SM. The last wave is "
       "often partly full, and the SMs without a block are idle. Utilisation is the blocks, divided by the "
       "block slots of all waves.",
       PlotFamily::blocks},
      {"occupancy", "Occupancy", Measure::other, "What limits the warps on an SM",
       "Resident warps per SM, divided by its warp slots. Registers, shared memory, threads and the block "
       "limit "
       "each allow a number of resident blocks; the smallest counts. More warps hide more latency until a "
       "resource is busy.",
       PlotFamily::warps},
      {"roofline", "Roofline", Measure::rate, "Speed against arithmetic intensity",
       "Left of the ridge DRAM bandwidth limits the speed, right of it arithmetic. A point near its roof has "
       "little to gain at its intensity. A point far below is limited by something else: latency, bank "
       "conflicts or idle lanes.",
       PlotFamily::memory},
      {"stalls", "Stalls", Measure::other, "Why warps waited",
       "Warps that wait per issued instruction, on average, by reason. The tallest bar names what to change: "
       "long scoreboard is global memory, short scoreboard and MIO are shared memory, "
       "barrier is __syncthreads.",
       PlotFamily::warps},
      {"bounds", "Bounds", Measure::speed, "How long each resource alone would need",
       "The time that each resource of the GPU needs for the run's work if all others cost nothing. The "
       "longest "
       "bar is the bottleneck: the run can't be faster without using less of it.",
       PlotFamily::time},
      {"divergence", "Lanes", Measure::other, "Lanes at work in an average instruction",
       "A warp instruction has 32 lanes. Active lanes took this branch; those with a true predicate also did "
       "the work. The other lanes are idle.",
       PlotFamily::warps},
      {"bankmap", "Banks", Measure::other, "Lanes in the 32 banks of shared memory",
       "Shared memory has 32 banks of 4 bytes. Lanes with different words in one bank are served one after "
       "the "
       "other: each needs one more wavefront, a pass through the 32 banks. Choose a pattern to see its "
       "conflicts. The table holds the counts of your lines.",
       PlotFamily::memory},
      {"addresses", "Addresses", Measure::other, "32 lanes and the sectors they touch",
       "Global memory moves in sectors of 32 bytes. Consecutive lanes that read consecutive words share "
       "sectors. With a stride they touch more sectors, and most bytes of each are not used. Choose a "
       "pattern. The table holds the counts of your lines.",
       PlotFamily::memory},
      {"sweep", "Sweep", Measure::other, "The figure of merit over the size",
       "The same kernels over many sizes. Small sizes are bound by the launch, medium ones by caches, large "
       "ones by memory. Start it with Run, Sweep over sizes; Sweep all tiers puts the lab's other steps on "
       "the same axes. A curve without a name is named under the mouse.",
       PlotFamily::time},
      {"whatif", "What if", Measure::other, "Two dependent products, tile by tile",
       "A calculation, not a run: move a slider, and the plot follows. A slot holds one resident block on an "
       "SM. Each tile goes to the slot that is free first. In stream order the second product "
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
       "A pattern to play with, not your run: element i of the warp's access is at i × stride. Lanes with "
       "different words in one bank are served one after the other. Padding moves rows apart; a swizzle "
       "permutes columns. The table below holds the counts of your lines."},
      {"addresspattern", "A pattern", Measure::other, "32 lanes and their sectors, for a pattern",
       "A pattern to play with, not your run: a stride spreads 32 lanes over more sectors of 32 bytes. Bytes "
       "that no lane uses move, too. The table below holds the counts of your lines."},
      {"lanes", "Lanes over time", Measure::other, "32 lanes over a warp's instructions",
       "One warp of block 0: one column per executed instruction, one row per lane. A lit cell is an active "
       "lane. Another colour: only some lanes were active. A click chooses an instruction; the link above "
       "opens slow motion there."},
      {"compare", "Two runs", Measure::other, "Time of A and of B",
       "The two runs chosen above on one axis: two versions of the kernel, two GPUs or two sizes. A line "
       "across "
       "the end of a bar is the spread of measured times; modelled times have none."},
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
