#pragma once
// The rules of the time model that keys of a device file carry, each with the values at which it says
// nothing. A device without a rule is called "h100-without-refresh": `warpdojo bench fidelity --without
// refresh` shows what the rule buys. Rules that are code and no key stand in docs/time-model-evidence.md
// alone.
#include <string>
#include <vector>

namespace dojo::simt {

/// Stands between a device's name and a rule's in the name of a device without that rule.
constexpr const char* without_mark = "-without-";

struct TimeRule {
  /// A key and the value that switches the rule off: a number, or that of another key.
  struct Off {
    const char* key;  ///< "latency.l2_near"
    double value = 0;
    const char* as = nullptr;  ///< "latency.l2"
  };
  const char* name;      ///< "l2-halves"
  const char* says;      ///< one sentence
  const char* evidence;  ///< micro-benchmarks in tests/microbench, or "data sheets"
  std::vector<Off> off;
};

const std::vector<TimeRule>& time_rules();

/// Null when there is none of that name.
const TimeRule* find_rule(const std::string& name);

}  // namespace dojo::simt
