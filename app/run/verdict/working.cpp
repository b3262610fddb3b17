#include "run/verdict/working.hpp"

#include <algorithm>
#include <set>

namespace dojo::run {
namespace {

using Bases = std::set<uint64_t>;

bool any_in(const std::vector<uint64_t>& bases, const Bases& in) {
  return std::any_of(bases.begin(), bases.end(), [&](uint64_t b) { return in.count(b) > 0; });
}

/// Allocations whose content leaves the device, or is checked there.
Bases checked(const HostWork& work, std::span<const uint64_t> outputs, AddressSpace& memory) {
  Bases matter(outputs.begin(), outputs.end());
  for (const auto& r : memory.regions())
    if (r->on_both()) matter.insert(r->base);
  for (const auto& [to, from] : work.copied)
    if (const Region* r = memory.find(to); r && host_can_access(r->owner)) matter.insert(from);
  return matter;
}

/// Did a lane store anything to global memory?
bool stores(const LaunchReport& l) {
  static const char* const counters[] = {"smsp__inst_executed_op_global_st.sum",
                                         "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                                         "smsp__inst_executed_op_global_atom.sum",
                                         "smsp__inst_executed_op_global_red.sum",
                                         "ptx:cp.async.bulk",
                                         "l1tex__t_requests_pipe_tex_mem_surface_op_st.sum"};
  return std::any_of(std::begin(counters), std::end(counters), [&](const char* name) {
    const auto it = l.counters.lower_bound(name);
    return it != l.counters.end() && it->first.starts_with(name) && it->second > 0;
  });
}

/// Marks the launches that may access memory which host code accesses, too, and those that store what host
/// code may read before the results are there.
void mark_mapped(RunReport& run, const HostWork& work, std::span<const uint64_t> outputs,
                 AddressSpace& memory) {
  const auto mapped = [&](uint64_t base) {
    const Region* r = memory.find(base);
    return r && r->on_both();
  };
  Bases copied_back;
  for (const auto& [to, from] : work.copied)
    if (const Region* r = memory.find(to);
        r && host_can_access(r->owner) && std::find(outputs.begin(), outputs.end(), r->base) == outputs.end())
      copied_back.insert(from);
  for (size_t i = 0; i < run.launches.size(); ++i) {
    const auto& [reads, writes] = work.launches[i];
    if (std::any_of(reads.begin(), reads.end(), mapped) || std::any_of(writes.begin(), writes.end(), mapped))
      run.launches[i].counters[mapped_counter] = 1;
    if (work.instructions <= instructions_per_call * work.api_calls() +
                                 instructions_per_launch * int64_t(run.launches.size()) + free_instructions)
      continue;
    if (any_in(writes, copied_back) || std::any_of(writes.begin(), writes.end(), mapped))
      run.launches[i].counters[read_by_host_counter] = 1;
  }
}

}  // namespace

void mark_idle(RunReport& run, const HostWork& work, std::span<const uint64_t> outputs,
               AddressSpace& memory) {
  Bases matter = checked(work, outputs, memory);
  const size_t n = run.launches.size();
  if (work.launches.size() != n) return;
  mark_mapped(run, work, outputs, memory);
  if (matter.empty()) return;
  std::vector<char> working(n, 0);
  const auto feeds = [&](size_t writer, size_t reader) {
    const LaunchReport &w = run.launches[writer], &r = run.launches[reader];
    if (!working[reader] || (writer > reader && w.start_us >= r.start_us + r.time_us)) return false;
    const auto& reads = work.launches[reader].reads;
    return std::any_of(
        work.launches[writer].writes.begin(), work.launches[writer].writes.end(),
        [&](uint64_t base) { return std::find(reads.begin(), reads.end(), base) != reads.end(); });
  };
  for (bool changed = true; changed;) {
    changed = false;
    // What a working launch may load by way of a copy matters as well.
    Bases wanted = matter;
    for (size_t i = 0; i < n; ++i)
      if (working[i]) wanted.insert(work.launches[i].reads.begin(), work.launches[i].reads.end());
    for (const auto& [to, from] : work.copied)
      if (wanted.count(to)) changed |= matter.insert(from).second;
    for (size_t i = 0; i < n; ++i) {
      if (working[i] || !stores(run.launches[i])) continue;
      bool found = any_in(work.launches[i].writes, matter);
      for (size_t j = n; j-- > 0 && !found;) found = feeds(i, j);
      if (found) working[i] = 1, changed = true;
    }
  }
  for (size_t i = 0; i < n; ++i)
    if (!working[i]) run.launches[i].counters[idle_counter] = 1;
}

}  // namespace dojo::run
