// The machine: which launches run when, and what they report.
#include "simt/machine/const_inputs.hpp"
#include "simt/machine/machine_core.hpp"
#include "simt/machine/repeated_launches.hpp"
#include "simt/ops/arithmetic/rounding.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/frames.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace dojo::simt {

namespace {

constexpr uint32_t coarsest_grain = 4;  ///< bytes of global memory that share a tag of the checks

/// Regions that no store may touch while a set of launches runs.
struct Protected {
  std::vector<Region*> regions;
  explicit Protected(std::vector<Region*> r) : regions(std::move(r)) {
    for (Region* region : regions) region->read_only = true;
  }
  ~Protected() {
    for (Region* region : regions) region->read_only = false;
  }
};
}  // namespace

Machine::Machine(const Program& program, std::span<const LaunchNode> nodes, AddressSpace& memory,
                 const MachineConfig& config)
    : program_(program), nodes_(nodes), memory_(memory), config_(config), order_(nodes, [&](uint32_t launch) {
        return lets_dependents_start(program.closure(nodes[launch].function));
      }) {
  interleaved_ = compiled_as_written(program.module()) && !config.steps;
}

Exec& Machine::exec(int thread) {
  while (int(execs_.size()) <= thread) {
    auto x = std::make_unique<Exec>();
    x->thread = int(execs_.size());
    x->machine = this;
    x->program = &program_;
    x->memory = &memory_;
    // A limit of instructions is looked at between slices: a low one makes them short.
    if (const uint64_t most = config_.control.max_warp_instructions)
      x->quantum = int64_t(std::min<uint64_t>(uint64_t(x->quantum), most / 8 + 1));
    execs_.push_back(std::move(x));
    copies_.resize(execs_.size());
  }
  return *execs_[size_t(thread)];
}

void Machine::use_grid(Exec& x, Grid& g, bool detail) {
  if (x.grid == &g && x.detail == detail) return;
  const size_t counters = 2 * size_t(x.thread) + !detail;
  if (g.counters.size() <= counters) g.counters.resize(counters + 1);
  auto& c = g.counters[counters];
  if (!c) {
    c = std::make_unique<Counters>();
    c->visits.resize(program_.block_count());
    c->access.resize(program_.access_count());
  }
  x.grid = &g;
  x.detail = detail;
  x.checks = detail && config_.control.checks;
  x.exchanges = x.checks && config_.control.exchanges;
  x.undefined = config_.control.undefined;
  x.want_log = detail && config_.hierarchy;
  x.notes_regions = config_.repeated;
  x.visits = c->visits.data();
  x.access = c->access.data();
  x.shape = detail ? g.shapes.data() : g.no_shapes.data();
  x.ordered = g.ordered;
  x.tracked = g.ordered || (g.fences && !attempt_);
  x.shared_flags = x.tracked && g.shared_flags;
}

void Machine::prepare_all() {
  traces_.resize(nodes_.size());
  done_.assign(nodes_.size(), 0);
  group_base_ = next_ticket_ = shadow_ticket(memory_);
  uint32_t finest = coarsest_grain;
  for (size_t i = 0; i < nodes_.size(); ++i) {
    grids_.push_back(std::make_unique<Grid>());
    Grid& g = *grids_.back();
    g.launch = uint32_t(i);
    g.node = &nodes_[i];
    g.trace = &traces_[i];
    prepare(g);
    finest = std::min(finest, g.grain_global);
    if (!nodes_[i].after_start.empty())
      g.waits_for_finish = [this, i] {
        for (uint32_t n : nodes_[i].after_start)
          if (grids_[n]->finished < grids_[n]->blocks) return false;
        return true;
      };
  }
  // A finer grain gives up the tags of a coarser one, which matter where launches are not over for each
  // other.
  if (!order_.chain())
    for (auto& g : grids_) g->grain_global = finest;
  for (auto& g : grids_) g->ticket_base = Tag::max_ticket;
}

std::vector<Grid*> Machine::next_set() const {
  std::vector<Grid*> set;
  for (uint32_t i = 0; i < nodes_.size(); ++i)
    if (!done_[i] && can_start(i, set)) set.push_back(grids_[i].get());
  return set;
}

void Machine::prepare_checks(const std::vector<Grid*>& set) {
  constexpr size_t most_releases = 4'000'000;  // some 200 MB
  for (Grid* g : set) take_tickets(*g);
  group_base_ = set[0]->ticket_base;
  uint32_t grain = coarsest_grain;
  for (const Grid* g : set) {
    group_base_ = std::min(group_base_, g->ticket_base);
    grain = std::min(grain, g->grain_global);
  }
  for (Grid* g : set) g->grain_global = grain;
  if (open_.empty() || sync_.noted > most_releases) sync_.next_set(open_.empty() ? 0 : group_base_);
  if (config_.control.checks) prepare_global_shadow(memory_, grain);
  find_untracked(set);
  // Of what another block of their launch has written, blocks in detail know nothing either.
  for (const Grid* g : set)
    if (!g->sample.whole() && g->ordered) count_as_written(*g);
}

/// When a launch starts, not before: a program may queue a thousand of a million blocks each.
void Machine::give_blocks(Grid& g) {
  if (g.trace->blocks.empty()) g.trace->blocks.swap(spare_blocks_);
  g.trace->blocks.assign(g.blocks, {});
}

bool Machine::leave_out(Grid& g) {
  const RepeatedLaunches::Counts* counts = config_.repeated->find(g);
  if (!counts) return false;
  config_.repeated->leave_out();
  g.trace->warp_instructions = counts->warp_instructions;
  g.trace->thread_instructions = counts->thread_instructions;
  take_tickets(g);
  g.finished = g.blocks;  // a dependent launch may start
  done_[g.launch] = 1;
  settle_open({&g});
  return true;
}

void Machine::note_repeatable(const std::vector<Grid*>& set, uint64_t since) {
  std::vector<TouchedRegion> all;
  for (auto& x : execs_) {
    for (const TouchedRegion& t : std::exchange(x->regions, {})) {
      auto at = std::find_if(all.begin(), all.end(), [&](const auto& a) { return a.region == t.region; });
      if (at == all.end())
        all.push_back(t);
      else
        at->read |= t.read, at->written |= t.written;
    }
  }
  for (const Grid* g : set)
    config_.repeated->ran(*g, all, since, set.size() == 1,
                          {g->trace->warp_instructions, g->trace->thread_instructions});
}

void Machine::run_set(std::vector<Grid*>& set) {
  if (config_.repeated && config_.results_only && !config_.control.max_warp_instructions && set.size() == 1 &&
      leave_out(*set[0]))
    return;
  const uint64_t since = config_.repeated ? config_.repeated->changes() : 0;
  for (Grid* g : set) give_blocks(*g);
  prepare_checks(set);
  const Protected inputs(set.size() == 1 && config_.control.checks ? promised_const(memory_, *set[0])
                                                                   : std::vector<Region*>());
  const bool ordered = std::any_of(set.begin(), set.end(),
                                   [](const Grid* g) { return g->ordered || !g->node->after_start.empty(); });
  if (ordered) {
    // Interleaved: every atomic and store is applied at once.
    for (Grid* g : set) g->ordered = true, g->trace->ordered = true;
    run_serial(set);
  } else {
    for (Grid* g : set) run_parallel(*g);
  }
  count_all();
  for (Grid* g : set) {
    if (!config_.control.checks || !g->sample.whole()) count_as_written(*g);
    finish_grid(*g);
    done_[g->launch] = 1;
    if (!config_.keep_blocks) spare_blocks_.swap(g->trace->blocks), g->trace->blocks = {};
  }
  if (config_.repeated) note_repeatable(set, since);
  settle_open(set);
}

std::vector<LaunchTrace> Machine::run() {
  prepare_all();
  const auto hand_over = [this] {
    hand_over_reports();
    set_shadow_ticket(memory_, next_ticket_);
  };
  try {
    // Launches that nothing orders run together.
    for (std::vector<Grid*> set = next_set(); !set.empty(); set = next_set()) run_set(set);
  } catch (const RunStopped&) {
    flush_printed(printed_);
    hand_over();
    hand_over_stopped();
    throw;
  } catch (...) {
    flush_printed(printed_);
    hand_over();
    throw;
  }
  hand_over();
  for (auto& x : execs_) keep_frame_memory(*x);
  if (config_.asked && !launches_.asked.empty()) config_.asked(std::move(launches_.asked));
  return std::move(traces_);
}

std::vector<LaunchTrace> execute(const Program& p, std::span<const LaunchNode> nodes, AddressSpace& memory,
                                 const MachineConfig& config) {
  const MachineMode mode;  // threads that are started from here on have it, too
  return Machine(p, nodes, memory, config).run();
}

Grid* Machine::grid_of_ticket(uint64_t ticket, uint64_t* linear) {
  for (auto& g : grids_)
    if (ticket >= g->ticket_base && ticket < g->ticket_base + g->blocks) {
      *linear = ticket - g->ticket_base;
      return g.get();
    }
  return nullptr;
}

}  // namespace dojo::simt
