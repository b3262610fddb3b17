#pragma once
// How far modelled times are from recorded ones: `warpdojo bench fidelity`.
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "run/bench.hpp"

namespace dojo::run {

struct FidelityRow {
  std::string lab, step;  ///< "reduce", "reduce/5-sequential"
  std::string size;       ///< "n=33554432"
  int rank = 0;           ///< 0 for the first size that the recording has of the step, and so on
  double modelled_us = 0, recorded_us = 0;
  /// Of each recording of such a GPU, 0 where one hasn't this run; empty: there is one recording. recorded_us
  /// is their median.
  std::vector<double> all_us;
  std::string why_not;   ///< not compared, and why; empty: compared
  bool changed = false;  ///< not compared: the recording ran another source
  /// Modelled over recorded, less 1.
  double error() const { return recorded_us > 0 ? modelled_us / recorded_us - 1 : 0; }
};

struct FidelityLab {
  std::string lab;
  double tau = 1, mean_error = 0;  ///< mean of the absolute errors
  int rows = 0;
};

/// Two rows whose order the recordings tell.
struct OrderedPair {
  FidelityRow faster, slower;  ///< as recorded
  enum { right, undecided, wrong } modelled = right;
};
/// Pairs of rows of one rank whose recorded times differ by more than `tie`, in every recording that has both
/// and the same way round. A pair that the model has the wrong way round by no more than `tie` is undecided.
std::vector<OrderedPair> ordered_pairs(const std::vector<FidelityRow>&, double tie = 0.05);
/// Kendall's tau of the two orders: pairs that are right less those that are wrong, over all pairs; 1 without
/// pairs.
double kendall_tau(const std::vector<FidelityRow>&, double tie = 0.05);

struct FidelitySummary {
  std::vector<FidelityLab> labs;
  double mean_error = 0, worst = 0, tau_min = 1;  ///< mean and largest absolute error; the least tau of a lab
  int compared = 0, pairs = 0, undecided = 0, wrong = 0;
  std::vector<FidelityRow> worst_rows;  ///< the three that are furthest off, by the ratio
};
FidelitySummary summarize(const std::vector<FidelityRow>&);

/// The tables in Markdown, a lab after the other, then the summary: what docs/time-model-fidelity.md holds.
std::string fidelity_text(const std::vector<FidelityRow>&);

/// Makes it known as the bench family "fidelity".
void register_fidelity_bench();

}  // namespace dojo::run
