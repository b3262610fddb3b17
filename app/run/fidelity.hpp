#pragma once
// How far modelled times are from recorded ones: `warpdojo bench fidelity`.
#include <string>
#include <vector>

#include "core/lab.hpp"
#include "run/bench.hpp"

namespace dojo::run {

struct FidelityRow {
  std::string lab, step;  ///< "reduce", "reduce/5-sequential"
  std::string size;       ///< "n=33554432"
  int rank = 0;           ///< 0 for the first size that the recording has of the step, and so on
  double modelled_us = 0, recorded_us = 0;
  std::string why_not;    ///< not compared, and why; empty: compared
  /// Modelled over recorded, less 1.
  double error() const { return recorded_us > 0 ? modelled_us / recorded_us - 1 : 0; }
};

struct FidelityLab {
  std::string lab;
  double tau = 1, mean_error = 0;  ///< mean of the absolute errors
  int rows = 0;
};

/// Kendall's tau of the two orders: pairs whose recorded times differ by more than `tie` count, a pair that the
/// model has the wrong way round by no more than `tie` counts as undecided. 1 without such pairs. Rows of one rank
/// are compared with each other.
double kendall_tau(const std::vector<FidelityRow>&, double tie = 0.05);

struct FidelitySummary {
  std::vector<FidelityLab> labs;
  double mean_error = 0, worst = 0, tau_min = 1;  ///< mean and largest absolute error; the least tau of a lab
  int compared = 0;
  std::vector<FidelityRow> worst_rows;            ///< the three that are furthest off, by the ratio
};
FidelitySummary summarize(const std::vector<FidelityRow>&);

/// The tables in Markdown, a lab after the other, then the summary: what docs/time-model.md holds.
std::string fidelity_text(const std::vector<FidelityRow>&);

/// Makes it known as the bench family "fidelity".
void register_fidelity_bench();

}  // namespace dojo::run
