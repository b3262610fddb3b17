#include "simt/checks/host_view.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "simt/checks/shadow_bits.hpp"
#include "simt/checks/written_regions.hpp"
#include "simt/state/findings.hpp"
#include "simt/state/supervisor.hpp"

namespace dojo::simt {

bool covers(const InFlight& f, uint64_t offset, uint64_t bytes) {
  if (bytes == 0 || offset >= f.offset + f.bytes || f.offset >= offset + bytes) return false;
  if (f.width == 0 || f.row <= f.width || offset < f.offset) return true;
  const uint64_t in_row = (offset - f.offset) % f.row;  // the gap between two rows holds it, or not
  return in_row < f.width || bytes > f.row - in_row;
}

bool meet(const InFlight& a, const InFlight& b) {
  const InFlight &rows = a.width ? a : b, &other = a.width ? b : a;
  if (rows.width == 0 || rows.row <= rows.width) return covers(other, rows.offset, rows.bytes);
  for (uint64_t at = 0; at < rows.bytes; at += rows.row)
    if (covers(other, rows.offset + at, rows.width)) return true;
  return false;
}

void note_in_flight(Region& r, InFlight f) {
  auto* s = static_cast<RegionShadow*>(r.shadow.get());
  if (!s) {
    auto n = std::make_shared<RegionShadow>();
    n->init.allocate(r.size / 64 + 4);
    r.shadow = n;
    s = n.get();
  }
  for (InFlight& old : s->in_flight)
    if (old.where == f.where && old.stream == f.stream && old.writes == f.writes && old.offset == f.offset) {
      old = std::move(f);  // the same again, in a loop
      return;
    }
  if (s->in_flight.size() < 64) s->in_flight.push_back(std::move(f));
}

void clear_in_flight(Region& r) {
  if (auto* s = static_cast<RegionShadow*>(r.shadow.get())) s->in_flight.clear();
}

std::span<const InFlight> in_flight(const Region& r) {
  auto* s = static_cast<const RegionShadow*>(r.shadow.get());
  return s ? std::span<const InFlight>(s->in_flight) : std::span<const InFlight>();
}

const InFlight* host_touch(Region& r, uint64_t address, uint64_t bytes, bool write) {
  const uint64_t offset = address - r.base;
  if (r.shadow)
    for (const InFlight& f : static_cast<RegionShadow*>(r.shadow.get())->in_flight)
      if ((write || f.writes) && covers(f, offset, bytes)) return &f;
  if (write && !r.initialized && r.data) mark_initialized(r, offset, bytes);
  return nullptr;
}

std::string too_early(const std::string& what, const InFlight& f, bool write) {
  return fmt::format(
      "Race: host code {} {} while {} of line {} may still {} it. Wait for it first, with "
      "cudaDeviceSynchronize() or cudaStreamSynchronize().",
      write ? "writes" : "reads", what, f.what, f.where.line, f.writes ? "write" : "read");
}

bool launch_writes(AddressSpace& memory, const Program& program, const LaunchSpec& spec,
                   std::vector<Region*>* out) {
  const auto f = program.module().function_by_name.find(spec.kernel);
  if (f == program.module().function_by_name.end()) return false;
  LaunchNode node;
  node.spec = spec;
  node.function = f->second;
  Grid grid;
  grid.node = &node;
  grid.codes = program.closure(node.function);
  grid.code = &program.code(node.function, false);
  return written_regions(memory, program, grid, out);
}

}  // namespace dojo::simt
