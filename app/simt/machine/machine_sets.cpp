// Which launches run together, and which are over for which: streams, events and programmatic dependence say
// so, not the order in which the machine happens to run them.
#include <algorithm>

#include "simt/checks/written_regions.hpp"
#include "simt/machine/machine_core.hpp"

namespace dojo::simt {

bool Machine::can_start(uint32_t launch, const std::vector<Grid*>& set) const {
  const auto in_set = [&](uint32_t a) {
    return std::any_of(set.begin(), set.end(), [&](const Grid* g) { return g->launch == a; });
  };
  for (uint32_t a : nodes_[launch].after)
    if (!done_[a] && !(in_set(a) && grids_[a]->finished == grids_[a]->blocks)) return false;
  for (uint32_t a : nodes_[launch].after_start)
    if (!done_[a] && !in_set(a)) return false;
  return true;
}

void Machine::take_tickets(Grid& g) {
  if (next_ticket_ + g.blocks > Tag::max_ticket) {
    clear_all_shadow(memory_);
    next_ticket_ = 1;
    group_base_ = 1;
    started_.clear();
    sync_.forgotten = 0;
  }
  g.ticket_base = next_ticket_;
  next_ticket_ += g.blocks;
  note_launch_tickets(memory_, g.ticket_base, g.grid, g.block);
  for (const bool waited : {false, true}) {
    Grid::Over& over = g.over[waited];
    over = {g.ticket_base, false};
    if (order_.chain()) continue;
    for (size_t i = started_.size(); i-- > 0;) {
      const uint32_t s = started_[i];
      if (order_.unknown()) {
        if (waited || done_[s]) break;
        over.below = grids_[s]->ticket_base;
      } else if (!order_.before(s, g.launch, waited)) {
        over.below = std::min(over.below, grids_[s]->ticket_base);
      }
    }
    for (uint32_t s : started_)
      over.mixed |=
          !order_.unknown() && grids_[s]->ticket_base > over.below && order_.before(s, g.launch, waited);
  }
  started_.push_back(g.launch);
}

bool Machine::is_over(uint64_t ticket, const Block& b) const {
  const auto next = std::upper_bound(started_.begin(), started_.end(), ticket,
                                     [&](uint64_t t, uint32_t s) { return t < grids_[s]->ticket_base; });
  return next != started_.begin() && order_.before(*(next - 1), b.grid->launch, b.waited);
}

bool Machine::join_set(std::vector<Grid*>& set) {
  const size_t before = set.size();
  for (uint32_t i = 0; i < nodes_.size(); ++i) {
    const bool in_set = std::any_of(set.begin(), set.end(), [&](const Grid* g) { return g->launch == i; });
    if (done_[i] || in_set || !can_start(i, set)) continue;
    Grid& g = *grids_[i];
    take_tickets(g);
    g.ordered = g.trace->ordered = true;
    set.push_back(&g);
    give_blocks(g);
  }
  return set.size() > before;
}

void Machine::find_untracked(const std::vector<Grid*>& set) {
  bool known = order_.chain();  // else others than these may come to it
  for (Grid* g : set) known &= g->writes_known = written_regions(memory_, program_, *g, &g->writes);
  for (const auto& r : memory_.regions()) {
    auto* s = static_cast<RegionShadow*>(r->shadow.get());
    if (!s || r->freed) continue;
    bool written = !known;
    for (Grid* g : set)
      written = written || std::find(g->writes.begin(), g->writes.end(), r.get()) != g->writes.end();
    // Reads of earlier launches' flags are noted: they say what a launch waits for in time.
    for (auto w = sync_.writers.begin(); !written && w != sync_.writers.end(); ++w)
      written = r->contains(w->first * 4, 4);
    s->untracked = written ? 0 : group_base_;
  }
}

void Machine::count_as_written(const Grid& g) {
  if (g.writes_known) {
    for (Region* r : g.writes) r->initialized = true;
    return;
  }
  for (const auto& r : memory_.regions())
    if (!r->freed && !r->read_only && r->on_device()) r->initialized = true;
}

void Machine::settle_open(const std::vector<Grid*>& set) {
  if (order_.chain() || order_.unknown()) return;
  for (const Grid* g : set) open_.emplace_back(g->launch, 0);
  std::erase_if(open_, [&](auto& o) {
    auto& [launch, left] = o;
    while (left < nodes_.size() && (done_[left] || order_.before(launch, left))) ++left;
    return left == nodes_.size();
  });
}

}  // namespace dojo::simt
