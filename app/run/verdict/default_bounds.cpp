#include "run/verdict/default_bounds.hpp"

#include "core/host_work.hpp"

namespace dojo::run {
namespace {

constexpr const char* prefix = "default: ";

struct Bound {
  const char* kind;  ///< of Step::unbounded
  const char* name;
  double times, more;
  double (*value)(const RunReport&);
  const char* words;
};

using R = const RunReport&;
constexpr const char* slow_words =
    "The results are right, but the run takes more than ten times the reference's modelled time.";
constexpr const char* host_words =
    "The results are right, but host code does the work of a kernel. Move it into a kernel.";
constexpr const char* copy_words =
    "The results are right, but copies do the work of a kernel. Move it into a kernel.";

const Bound bounds[] = {
    {"time", "time_us", 10, 20, [](R r) { return r.time_us.value; }, slow_words},
    {"time", "end_to_end_us", 10, 200, [](R r) { return r.end_to_end_us; }, slow_words},
    {"host", "host_instructions", 8, 4000, [](R r) { return host_count(r, "inst_executed"); }, host_words},
    {"host", "api_calls", 4, 64, [](R r) { return host_count(r, "api_calls"); }, host_words},
    {"copies", "copies", 2, 4, [](R r) { return host_count(r, "copies"); }, copy_words},
    {"copies", "copied_bytes", 2, 4096, [](R r) { return host_count(r, "copied_bytes"); }, copy_words},
};

std::string text(double v) { return std::to_string(int64_t(v)); }

}  // namespace

std::vector<GateReport> broken_bounds(const Step& step, const RunReport& run, const RunReport& reference) {
  std::vector<GateReport> broken;
  if (!correct(run) || !correct(reference) || run.time_us.source == Source::measured) return broken;
  const auto lifted = step.options.find("unbounded");
  for (const Bound& b : bounds) {
    if (lifted != step.options.end() && lifted->second.find(b.kind) != std::string::npos) continue;
    const double value = b.value(run), bound = b.times * b.value(reference) + b.more;
    if (value <= bound) continue;
    GateReport g;
    g.name = prefix + std::string(b.name) + " <= " + text(b.times) + " * reference(self) + " + text(b.more);
    g.value = value;
    g.bound = bound;
    g.op = "<=";
    g.words = b.words;
    broken.push_back(std::move(g));
  }
  return broken;
}

bool is_default_bound(const GateReport& g) { return g.name.starts_with(prefix); }

}  // namespace dojo::run
