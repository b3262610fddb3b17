#pragma once
// One launch as Nsight Compute's details page shows it: the same sections, metric names and units, so that a
// student who reads ours can read NVIDIA's. Figures are the report's counters and, for throughputs, its
// resource bounds over its time. A metric that the report lacks is left out.
//   e.g. bounds l1 = 8 us of a launch of 10 us: "L1/TEX Cache Throughput" is 80 %.
#include <string>
#include <vector>

#include "core/report.hpp"

namespace dojo::run {

struct ProfileRow {
  std::string metric, unit, value;
};
/// Counts by kind of access: the memory tables of Nsight Compute.
struct ProfileTable {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};
struct ProfileSection {
  std::string title;
  std::vector<ProfileRow> rows;
  std::vector<ProfileTable> tables;
};

/// In Nsight Compute's order, from speed of light to source counters. The last needs a report with lines. Of
/// a device that is no modelled GPU of ours the block limits are left out.
std::vector<ProfileSection> profile_sections(const LaunchReport&, const ReportDevice&);

/// Launches of one kernel with one grid and block follow one another: one page stands for them.
struct ProfiledLaunches {
  size_t first = 0;  ///< index of the one that takes longest
  int count = 0;
  double time_us = 0;  ///< of all of them
};
/// In order of first appearance.
std::vector<ProfiledLaunches> alike_launches(const RunReport&);

/// What nvidia-smi calls GPU utilisation, of the run's own time: the share in which at least one kernel runs,
/// however small. 0..1.
double gpu_utilization(const RunReport&);

/// With commas between thousands: "1,234.50".
std::string profile_number(double v, int digits = 2);

/// All pages of a run as text: a head with the run's time and GPU utilisation, then each kernel's sections.
/// `columns`: of the terminal, where a narrower page is wanted than the usual one of 79. 0: not known.
std::string profile_text(const RunReport&, const ReportDevice&, size_t columns = 0);

}  // namespace dojo::run
