#include "run/verdict/default_bounds.hpp"

#include <algorithm>

#include "core/counters.hpp"
#include "core/gates/gate_parse.hpp"
#include "core/host_work.hpp"
#include "run/verdict/work_floor.hpp"
#include "run/verdict/working.hpp"

namespace dojo::run {
namespace {

struct Bound {
  const char* kind;  ///< of Step::unbounded
  const char* name;
  double times, more;
  double (*value)(const RunReport&);
  const char* words;
  const char* gates = "";  ///< it holds for steps with this in the expression of a gate
  /// What gates that bound the same thing call it. Of "paths", such a gate lifts the bound.
  const char* counters = name;
};

using R = const RunReport&;
constexpr const char* slow_words =
    "The results are right, but the run takes more than ten times the reference's modelled time.";
constexpr const char* host_words =
    "The results are right, but host code does the work of a kernel. Move it into a kernel.";
constexpr const char* result_words =
    "The results are right, but host code computes with what kernels stored. Do this in a kernel.";
constexpr const char* copy_words =
    "The results are right, but copies do the work of a kernel. Move it into a kernel.";

constexpr const char* texture_words =
    "The gates of this step count global loads, without texture fetches. Load through pointers.";
constexpr const char* surface_words =
    "The gates of this step count global loads, without surface reads. Load through pointers.";
constexpr const char* atomic_words =
    "The gates of this step count global loads and stores, without atomic operations. Use plain loads and "
    "stores.";

constexpr const char* fragment_words =
    "The gates of this step count the bytes of loads, without those of wmma's fragments. Use plain loads.";
constexpr const char* bulk_words =
    "The gates of this step count global loads and stores, without bulk copies. Use plain loads and stores.";

double global_atomics(R r) { return total(r, "atomics") - total(r, "shared_atomics"); }

/// Does host code read what a working launch stored?
bool read_by_host(R r) {
  return std::any_of(r.launches.begin(), r.launches.end(), [](const LaunchReport& l) {
    return works(l) && l.counters.count(read_by_host_counter);
  });
}
/// What the host executes beyond its calls and the loop around its launches.
double own_host_work(R r) {
  const auto launches = std::count_if(r.launches.begin(), r.launches.end(), works);
  return std::max(0.0, host_count(r, "inst_executed") - instructions_per_call * host_count(r, "api_calls") -
                           double(instructions_per_launch * launches));
}

const Bound bounds[] = {
    {"time", "time_us", 10, 20, [](R r) { return r.time_us.value; }, slow_words},
    {"time", "end_to_end_us", 10, 200, [](R r) { return r.end_to_end_us; }, slow_words},
    {"host", "host_instructions", 8, 4000, [](R r) { return host_count(r, "inst_executed"); }, host_words},
    {"host", "api_calls", 4, 64, [](R r) { return host_count(r, "api_calls"); }, host_words},
    {"copies", "copies", 2, 4, [](R r) { return host_count(r, "copies"); }, copy_words},
    {"copies", "copied_bytes", 2, 4096, [](R r) { return host_count(r, "copied_bytes"); }, copy_words},
    {"paths", "texture_requests", 2, 64, [](R r) { return total(r, "texture_requests"); }, texture_words,
     "global_", "texture_requests texture_sectors"},
    {"paths", "surface_reads", 2, 64, [](R r) { return total(r, "surface_load_requests"); }, surface_words,
     "global_load", "surface_load_requests surface_load_sectors"},
    {"paths", "global_atomics", 4, 64, global_atomics, atomic_words, "global_", "atomics"},
    {"paths", "fragment_loads", 2, 64, [](R r) { return executed(r, fragment_load); }, fragment_words,
     "load_lane_bytes"},
    {"paths", "bulk_copies", 2, 64, [](R r) { return executed(r, bulk_copy); }, bulk_words, "global_"},
    {"host", "host_work_on_results", 1, double(free_instructions), own_host_work, result_words},
};

std::string text(double v) { return std::to_string(int64_t(v)); }

/// Does a gate of the step name what the bound is about?
bool concerns(const Bound& b, const Step& step) {
  return !*b.gates || std::any_of(step.gates.begin(), step.gates.end(), [&](const GateDef& g) {
    return g.expr.find(b.gates) != std::string::npos;
  });
}

/// Does a gate bound what the bound is about from above?
bool bounded_by(const Bound& b, const std::string& gate) {
  const std::string counters = " " + std::string(b.counters) + " ";
  const auto names = gates::bounded_above(gate);
  return std::any_of(names.begin(), names.end(), [&](const std::string& name) {
    return counters.find(" " + name + " ") != std::string::npos;
  });
}

bool lifts(const Step& step, const char* kind) {
  const auto it = step.options.find("unbounded");
  return it != step.options.end() && it->second.find(kind) != std::string::npos;
}

bool lifted(const Bound& b, const Step& step) {
  if (lifts(step, b.kind)) return true;
  return b.kind == std::string("paths") &&
         std::any_of(step.gates.begin(), step.gates.end(),
                     [&](const GateDef& g) { return bounded_by(b, g.expr); });
}

/// A solution may use an atomic operation per few loads: one per warp that has read 1024 elements, say.
double usual_atomics(R reference) { return total(reference, "global_requests") / 4; }

}  // namespace

std::vector<GateReport> broken_bounds(const Step& step, const RunReport& run, const RunReport& reference) {
  std::vector<GateReport> broken;
  if (!correct(run) || !correct(reference)) return broken;
  if (auto floor = below_floor(run, reference); floor && !lifts(step, "work")) {
    floor->name.insert(0, default_bound);
    broken.push_back(std::move(*floor));
  }
  if (run.time_us.source == Source::measured) return broken;
  for (const Bound& b : bounds) {
    if (lifted(b, step) || !concerns(b, step)) continue;
    if (b.value == own_host_work && !read_by_host(run)) continue;
    double bound = b.times * b.value(reference) + b.more;
    if (b.value == global_atomics) bound = std::max(bound, usual_atomics(reference));
    const double value = b.value(run);
    if (value <= bound) continue;
    GateReport g;
    g.name =
        default_bound + std::string(b.name) + " <= " + text(b.times) + " * reference(self) + " + text(b.more);
    g.value = value;
    g.bound = bound;
    g.op = "<=";
    g.words = b.words;
    broken.push_back(std::move(g));
  }
  return broken;
}

bool said_by_a_gate(const GateReport& broken, const RunReport& run) {
  const auto bound = std::find_if(std::begin(bounds), std::end(bounds), [&](const Bound& b) {
    return broken.name.starts_with(default_bound + std::string(b.name) + " ");
  });
  if (bound == std::end(bounds)) return false;
  return std::any_of(run.gates.begin(), run.gates.end(), [&](const GateReport& g) {
    return !g.pass && !is_default_bound(g) && bounded_by(*bound, g.name);
  });
}

bool is_default_bound(const GateReport& g) { return g.name.starts_with(default_bound); }

}  // namespace dojo::run
