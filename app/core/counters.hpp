#pragma once
// The names of the counters every launch has, as Nsight Compute gives them, with the short alias
// that gates and briefs use and how values of several launches combine.
#include <string>
#include <string_view>
#include <vector>

#include "core/report.hpp"

namespace dojo {

struct CounterInfo {
  std::string_view name;   ///< Nsight Compute's name
  std::string_view alias;  ///< short name for gates and briefs, e.g. "shared_conflicts_ld"
  std::string_view unit;   ///< "instructions", "sectors", "bytes", "%", ...
  bool sums = true;        ///< adds over launches (false: a ratio or percentage)
  bool per_line = false;   ///< also kept per source line
  std::string_view help;   ///< one sentence for a tooltip
};

/// The table; one entry is all that a new counter needs here.
const std::vector<CounterInfo>& counter_table();
/// By Nsight name or alias; null when unknown.
const CounterInfo* find_counter(std::string_view name_or_alias);
/// Short names that are the sum of two counters ("shared_conflicts", "dram_bytes"); total() knows them too.
std::vector<std::string_view> composite_aliases();
/// The value of a counter over all launches of a run: sums where it sums, else weighted by time.
double total(const RunReport&, std::string_view name_or_alias);

}  // namespace dojo
