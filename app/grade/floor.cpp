#include "grade/floor.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/counters.hpp"
#include "core/text/numbers.hpp"

namespace dojo::grade {
namespace {

constexpr double slack = 0.95;
/// The most operations of a lane instruction: a half2 FMA does four, with room; a warp-wide tensor
/// instruction 16 x 8 x 32 multiplications and additions, over 32 lanes.
constexpr double plain_operations = 8, tensor_operations = 256;
/// Smaller problems say nothing: their fixed costs outweigh the work.
constexpr double least_bytes = 16384, least_operations = 16384;
/// What host code may spend on launching, and on finishing a few thousand partial results.
constexpr double host_allowance = 100000;

/// What lanes asked for; bulk copies, which no lane asks for, show in DRAM traffic alone.
double moved(const RunReport& r) { return std::max(total(r, "global_lane_bytes"), total(r, "dram_bytes")); }

double host_instructions(const RunReport& r) {
  double sum = 0;
  for (const auto& l : r.launches)
    if (const auto n = l.counters.find("dojo__host_inst_executed.sum"); n != l.counters.end())
      sum += n->second;
  return sum;
}

double possible_operations(const RunReport& r) {
  double most = 0;
  for (const auto& l : r.launches) {
    const auto n = l.counters.find("smsp__thread_inst_executed.sum");
    const auto tensor = l.bounds.find("tensor");
    if (n == l.counters.end()) continue;
    most +=
        n->second * (tensor != l.bounds.end() && tensor->second > 0 ? tensor_operations : plain_operations);
  }
  return most;
}

}  // namespace

std::string below_floor(const RunReport& student, const RunReport& reference) {
  if (student.launches.empty() && !reference.launches.empty())
    return "the results are right, but no kernel was launched";
  const double bytes = std::min(student.bytes, moved(reference));
  if (bytes > least_bytes && moved(student) < slack * bytes)
    return fmt::format(
        "the results are right, but the kernels move {} bytes through global memory where the problem needs "
        "{}: they were not "
        "computed from all inputs, or not by a kernel",
        number(std::round(moved(student))), number(std::round(bytes)));
  const double operations = std::min(student.flops, possible_operations(reference));
  if (operations > least_operations && possible_operations(student) < slack * operations)
    return fmt::format(
        "the results are right, but the kernels execute at most {} operations where the problem needs {}",
        number(std::round(possible_operations(student))), number(std::round(operations)));
  const double allowed = std::max(host_allowance, 0.02 * std::max(student.bytes, student.flops)) +
                         16 * host_instructions(reference);
  if (host_instructions(student) > allowed)
    return fmt::format(
        "the results are right, but host code executed {} instructions (the reference {}): the work belongs "
        "into a kernel",
        number(host_instructions(student)), number(host_instructions(reference)));
  return {};
}

}  // namespace dojo::grade
