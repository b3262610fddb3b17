#pragma once
// The figures of README's benchmark tables. A room that has some registers a family; `warpdojo bench NAME`
// runs it.
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace dojo::run {

struct BenchOptions {
  std::string device;              ///< for families that take one
  bool quick = false;              ///< fewer repeats, for tests
  std::vector<std::string> steps;  ///< fidelity: these alone; empty: all
  std::string without;             ///< fidelity: a rule of the time model that is switched off
  double within_us = 0;            ///< fidelity: leave out what the GPU took longer for; 0: nothing
  double above_us = 0;             ///< fidelity: leave out what the GPU took no longer for
  double time_limit_s = 300;       ///< fidelity: of processor time, for each run
  std::function<void(const std::string&)> say;    ///< one line of progress
  std::function<void(const std::string&)> print;  ///< for people: a table before the figures; may be empty
};

using Figures = std::map<std::string, double>;

struct BenchFamily {
  std::string name, help;
  std::function<Figures(const BenchOptions&)> run;  ///< throws Error when it can't be run here
};

void register_bench(BenchFamily);
const std::vector<BenchFamily>& bench_families();

/// "Intel Xeon ... x 2" and the checkout's commit ($WARPDOJO_COMMIT where a copy has no git), for the head of
/// a table.
std::string machine_name();
std::string commit_name();
/// The release of the NVIDIA kernel driver, "580.159.04"; empty where there is none.
std::string driver_name();
/// Today, "2026-01-31", in UTC.
std::string date_name();

}  // namespace dojo::run
