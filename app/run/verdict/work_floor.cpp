#include "run/verdict/work_floor.hpp"

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "core/host_work.hpp"

namespace dojo::run {
namespace {

constexpr double slack = 0.95;
/// The most operations of a lane instruction: a half2 FMA does four, with room; a warp-wide tensor
/// instruction 16 x 8 x 32 multiplications and additions, over 32 lanes.
constexpr double plain_operations = 8, tensor_operations = 256;
/// Smaller problems say nothing: their fixed costs outweigh the work.
constexpr double least_bytes = 16384, least_operations = 16384;
/// What host code may spend on launching, and on finishing a few thousand partial results.
constexpr double host_allowance = 100000;

bool uses_tensor(const LaunchReport& l) {
  const auto tensor = l.bounds.find("tensor");
  return tensor != l.bounds.end() && tensor->second > 0;
}

/// What lanes asked for. Bulk copies and textures, which no lane asks for, show in DRAM traffic alone, and
/// fragments of wmma in sectors.
double moved(const RunReport& r) {
  const double asked = std::max({total(r, "global_lane_bytes"), total(r, "dram_bytes"),
                                 total(r, "dram_read_bytes") + total(r, "global_store_lane_bytes")});
  const bool fragments = std::any_of(r.launches.begin(), r.launches.end(), uses_tensor);
  return fragments ? std::max(asked, 32 * total(r, "global_sectors")) : asked;
}

double possible_operations(const RunReport& r) {
  double most = 0;
  for (const auto& l : r.launches) {
    const auto n = l.counters.find("smsp__thread_inst_executed.sum");
    if (n == l.counters.end()) continue;
    most += n->second * (uses_tensor(l) ? tensor_operations : plain_operations);
  }
  return most;
}

GateReport broken(const char* name, const char* op, double value, double bound, const char* words) {
  GateReport g;
  g.name = name;
  g.value = value;
  g.bound = bound;
  g.op = op;
  g.words = words;
  return g;
}

}  // namespace

std::optional<GateReport> below_floor(const RunReport& student, const RunReport& reference) {
  if (student.launches.empty() && !reference.launches.empty())
    return broken("launches >= 1", ">=", 0, 1,
                  "The results are right, but no kernel was launched. Compute them in a kernel.");
  const double bytes = std::min(student.bytes, moved(reference));
  if (bytes > least_bytes && moved(student) < slack * bytes)
    return broken("global_bytes >= what the problem moves", ">=", std::round(moved(student)),
                  std::round(bytes),
                  "The results are right, but the kernels move fewer bytes through global memory than the "
                  "problem needs. Compute the results from all inputs, in a kernel.");
  const double operations = std::min(student.flops, possible_operations(reference));
  if (operations > least_operations && possible_operations(student) < slack * operations)
    return broken("possible_operations >= what the problem needs", ">=", possible_operations(student),
                  operations,
                  "The results are right, but the kernels execute fewer operations than the problem needs. "
                  "Compute the results from all inputs, in a kernel.");
  const double allowed = std::max(host_allowance, 0.02 * std::max(student.bytes, student.flops)) +
                         16 * host_count(reference, "inst_executed");
  if (host_count(student, "inst_executed") > allowed)
    return broken("host_instructions <= 16 * reference(self) + an allowance",
                  "<=", host_count(student, "inst_executed"), allowed,
                  "The results are right, but host code does the work of a kernel. Move it into a kernel.");
  return {};
}

}  // namespace dojo::run
