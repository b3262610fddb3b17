// A launch before its first block (what it runs, how its accesses are counted) and after its last (its
// counters).
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/collections/rounding.hpp"
#include "core/text/numbers.hpp"
#include "simt/launch_cluster.hpp"
#include "simt/machine/classify.hpp"
#include "simt/machine/machine_core.hpp"

namespace dojo::simt {

void Machine::prepare(Grid& g) {
  const LaunchNode& node = *g.node;
  g.codes = program_.closure(node.function);
  g.code = &program_.code(node.function, false);
  g.grid = node.spec.grid;
  g.block = node.spec.block;
  g.cluster = launch_cluster(*g.code->fn, node.spec);
  g.blocks = g.grid.count();
  g.threads = uint32_t(g.block.count());
  g.warps = (g.threads + 31) / 32;
  refuse_endless_grid(g);
  uint64_t align = 16;
  for (const ptx::Variable& v : program_.module().variables)
    if (v.space == ptx::Space::shared && (v.is_extern || !v.bytes)) align = std::max(align, v.align);
  g.dynamic_base = uint32_t(round_up(g.code->fn->shared_bytes, align));
  if (!node.spec.dynamic_smem) g.dynamic_base = uint32_t(g.code->fn->shared_bytes);
  g.shared_bytes = g.dynamic_base + node.spec.dynamic_smem;
  g.silent = !config_.hierarchy && leaves_nothing(g.codes);
  g.ordered = order_matters(program_, g.codes) || g.cluster.count() > 1;
  g.fences = std::any_of(g.codes.begin(), g.codes.end(), [](const Code* c) { return has_fences(*c->fn); });
  if (config_.blocks_in_detail && !config_.results_only && !g.fences && g.cluster.count() <= 1)
    g.sample = BlockSample(g.blocks, config_.blocks_in_detail(g.launch));
  if (!g.sample.whole()) g.no_shapes.assign(program_.access_count(), {});
  find_traits(g);
  access_grains(g.codes, &g.grain_shared, &g.grain_global);
  LaunchTrace& trace = *g.trace;
  trace.ordered = g.ordered;
  trace.counts.resize(program_.module().functions.size());
  // How each memory instruction is counted.
  g.shapes.assign(program_.access_count(), {});
  for (const Code* c : g.codes) {
    if (config_.results_only) break;  // shapes of no width are not counted
    std::shared_ptr<const ptx::CodeShape> shape = config_.shape ? config_.shape(c->index) : nullptr;
    if (c == g.code)
      trace.shape = shape;
    else if (shape)
      trace.called_shapes[c->index] = shape;
    auto set = [&](const Inst& i) {
      if (!i.access || i.kind != Kind::memory) return;
      AccessShape as{uint8_t(i.width * i.count)};
      if (shape && i.ptx < shape->accesses.size()) {
        const ptx::ShapeAccess& a = shape->accesses[i.ptx];
        if (!a.counted)
          as.width = 0;
        else if (a.merged_width)
          as = {a.merged_width, a.to, a.of};
      }
      g.shapes[i.access] = as;
    };
    for (const Inst& i : c->insts) set(i);
    for (const Inst& i : c->guarded) set(i);
  }
  if (node.spec.cooperative) {
    Region* r = memory_.allocate(64, Owner::device, "grid barrier");
    if (r) {
      std::memset(r->data, 0, 64);
      uint32_t size = 64;
      std::memcpy(r->data, &size, 4);
      r->initialized = true;
      g.workspace = r->base;
    }
  }
}

/// A warp executes at least one instruction, so some grids are over the limit before they start. Every block
/// also leaves some 100 bytes.
void Machine::refuse_endless_grid(const Grid& g) const {
  constexpr uint64_t most_blocks = uint64_t(1) << 26;
  const uint64_t most_instructions = config_.control.max_warp_instructions;
  const uint64_t most =
      most_instructions ? std::min(most_blocks, most_instructions / std::max(g.warps, 1u)) : most_blocks;
  if (g.blocks <= most) return;
  Diagnostic d;
  d.kind = FindingKind::timeout;
  d.kernel = g.code->fn->demangled;
  d.where = g.node->spec.where;
  d.message = fmt::format(
      "Stopped: the grid of {} has {} blocks of {} threads, and at most {} may run here. "
      "Check how the grid follows from the size.",
      d.kernel, grouped(double(g.blocks)), g.threads, grouped(double(most)));
  throw RunStopped(Status::timeout, std::move(d));
}

void Machine::find_traits(Grid& g) {
  const auto& owners = program_.accesses();
  if (!config_.control.checks) return;
  TraitsReader reader(program_.module());
  for (size_t a = std::max<size_t>(traits_.size(), 1); a < owners.size(); ++a) {
    traits_.resize(a + 1);
    traits_[a] = reader.read(owners[a].function, owners[a].ptx);
  }
  for (size_t a = 1; a < owners.size(); ++a)
    if (traits_[a].keeps_order)
      for (const Code* c : g.codes) g.shared_flags |= c->index == owners[a].function;
}

namespace {

/// Visits of basic blocks, added to the counts of their instructions. `detailed`: executed by blocks in
/// detail, per function and instruction; empty where all blocks are.
void add_visits(const Grid& g, std::vector<std::vector<uint64_t>>& detailed) {
  LaunchTrace& t = *g.trace;
  for (const Code* c : g.codes) {
    auto& counts = t.counts[c->index];
    counts.resize(c->fn->code.size());
    if (!g.sample.whole()) detailed[c->index].resize(counts.size());
    for (size_t n = 0; n < g.counters.size(); ++n) {
      const auto& counters = g.counters[n];
      if (!counters) continue;
      const bool in_detail = n % 2 == 0 && !g.sample.whole();
      for (size_t b = 0; b < c->fn->blocks.size(); ++b) {
        const BlockCount& v = counters->visits[c->first_block + b];
        if (!v.visits) continue;
        const ptx::BasicBlock& block = c->fn->blocks[b];
        for (uint32_t i = block.first; i <= block.last && i < counts.size(); ++i) {
          counts[i].executed += v.visits;
          counts[i].lanes += v.lanes;
          counts[i].idle_eights += v.idle_eights;
          if (in_detail) detailed[c->index][i] += v.visits;
        }
        t.warp_instructions += v.visits * (block.last - block.first + 1);
        t.thread_instructions += v.lanes * (block.last - block.first + 1);
      }
    }
  }
}

/// Bytes per lane of each access of the launch's code; 0 for others.
std::vector<uint32_t> access_widths(const Grid& g, size_t accesses) {
  std::vector<uint32_t> width(accesses, 0);
  const auto add = [&](const Inst& i) {
    width[i.access < accesses && i.kind == Kind::memory ? i.access : 0] = uint32_t(i.width) * i.count;
  };
  for (const Code* c : g.codes) {
    for (const Inst& i : c->insts) add(i);
    for (const Inst& i : c->guarded) add(i);
  }
  return width;
}

/// Adds what one thread of the host counted of an access. `width`: bytes per lane as the instruction says,
/// `asked`: as its lanes ask for. `seen`: how often blocks in detail executed it, 0 where all are in detail:
/// their sums stand for all blocks, in proportion.
void add_access(InstructionCounts& n, const AccessCount& c, bool plain, uint32_t width, uint32_t asked,
                uint64_t seen) {
  const auto of_all = [&](uint64_t sum) {
    return seen ? uint64_t(std::llround(double(sum) * double(n.executed) / double(seen))) : sum;
  };
  if (plain) n.lane_bytes = n.lanes * width;
  n.lane_bytes += c.bulk_bytes;
  n.remote_bytes += c.remote_lanes * asked;
  n.exchanged_bytes += of_all(c.exchanged_bytes);
  n.outside_lanes += c.outside_lanes;
  n.rare += c.rare;
  n.rare_lanes += c.rare_lanes;
  if (!c.requests && !c.divergent) return;
  n.requests += of_all(c.requests);
  n.request_lanes += of_all(c.sum_lanes);
  n.sectors += of_all(c.sum_sectors);
  n.wavefronts += of_all(c.sum_wavefronts);
  n.ideal_wavefronts += of_all(c.sum_ideal_wavefronts);
  n.conflicts += of_all(c.sum_conflicts);
  n.divergent += c.divergent;
  if (!plain) n.lane_bytes += of_all(c.sum_lanes * asked);
  n.shared_requests += of_all(c.shared_requests);
  n.shared_lane_bytes += of_all(c.shared_lanes * asked);
}

/// All accesses of a launch, of all threads of the host.
void add_accesses(Grid& g, const Program& program, const std::vector<std::vector<uint64_t>>& detailed) {
  const auto& owners = program.accesses();
  const std::vector<uint32_t> width = access_widths(g, owners.size());
  for (auto& counters : g.counters) {
    if (!counters) continue;
    for (size_t a = 1; a < counters->access.size() && a < owners.size(); ++a) {
      AccessCount& c = counters->access[a];
      c.flush();
      auto& list = g.trace->counts[owners[a].function];
      if (owners[a].ptx >= list.size()) continue;
      // The bytes that lanes ask for are the program's own, however the assembler joins its accesses.
      const ptx::Instruction& instruction =
          program.module().functions[owners[a].function].code[owners[a].ptx];
      const bool plain = instruction.guard < 0 && width[a];
      const uint32_t asked = a < g.shapes.size() && g.shapes[a].width ? g.shapes[a].width : width[a];
      const uint64_t seen = g.sample.whole() ? 0 : detailed[owners[a].function][owners[a].ptx];
      add_access(list[owners[a].ptx], c, plain, width[a], asked, seen);
    }
  }
}

/// Counts accesses as the machine code makes them: `to` for every `of` of the PTX.
void count_as_assembled(const Grid& g, const Program& program) {
  const auto& owners = program.accesses();
  for (size_t a = 1; a < g.shapes.size() && a < owners.size(); ++a) {
    const AccessShape& s = g.shapes[a];
    auto& list = g.trace->counts[owners[a].function];
    if (s.to == s.of || owners[a].ptx >= list.size()) continue;
    InstructionCounts& n = list[owners[a].ptx];
    for (uint64_t* sum : {&n.requests, &n.request_lanes, &n.sectors, &n.wavefronts, &n.ideal_wavefronts,
                          &n.conflicts, &n.shared_requests})
      *sum = (*sum * s.to + s.of / 2) / s.of;
  }
}

}  // namespace

void Machine::finish_grid(Grid& g) {
  settle_accesses();
  LaunchTrace& t = *g.trace;
  t.in_detail = g.sample.in_detail();
  std::sort(t.detailed.begin(), t.detailed.end(),
            [](const BlockTrace& a, const BlockTrace& b) { return a.block < b.block; });
  std::vector<std::vector<uint64_t>> detailed(t.counts.size());
  add_visits(g, detailed);
  add_accesses(g, program_, detailed);
  count_as_assembled(g, program_);
  if (!g.sample.whole()) estimate_left_out(g);
  g.counters.clear();
  for (auto& x : execs_)
    if (x->grid == &g) x->grid = nullptr;
  if (g.workspace) memory_.release(g.workspace);
}

}  // namespace dojo::simt
