#pragma once
// L U = A(:, Q) of a sparse matrix, row by row, in double precision. Rows stay; each row's pivot is the
// largest of the columns that are left, or the one on the diagonal if it is at least `threshold` times as
// large. Example: rows (0 2) and (3 1) have the order 1, 0 of columns, L = (1 0, .5 1) and U = (2 0, 0 3).
#include <vector>

#include "sparse_system.hpp"

namespace dojo::libraries {

/// Rows of a triangle, with columns rising.
class TriangleRows {
 public:
  void add(int column, double value) { columns_.push_back(column), values_.push_back(value); }
  void end_row() { offsets_.push_back(int(columns_.size())); }
  int entries() const { return int(columns_.size()); }
  int first(int row) const { return offsets_[size_t(row)]; }
  int last(int row) const { return offsets_[size_t(row) + 1]; }
  int& column(int entry) { return columns_[size_t(entry)]; }
  int column(int entry) const { return columns_[size_t(entry)]; }
  double value(int entry) const { return values_[size_t(entry)]; }
  void sort_rows();
  /// `ones`: without the last entry of each row, which is 1 on L's diagonal.
  void copy(int base, bool ones, int* rows, int* columns, double* values) const;

 private:
  std::vector<int> offsets_ = {0}, columns_;
  std::vector<double> values_;
};

/// Pivots that are not larger than `zero` count as zero: cusolverRf eliminates nothing with them, and puts
/// `boost` in their place, if it is larger than 0.
struct ZeroPivots {
  double zero, boost;
};

class SparseLu {
 public:
  SparseLu() = default;
  /// With `threshold` below 0 columns stay, too.
  SparseLu(const Pattern& a, const double* values, double threshold, const ZeroPivots* = nullptr);
  const TriangleRows& l() const { return l_; }
  const TriangleRows& u() const { return u_; }
  /// columns()[k] is the column of A at k.
  const std::vector<int>& columns() const { return columns_; }
  /// The first row whose pivot is not larger than this, or -1.
  int zero_pivot(double tolerance) const;
  /// x = U^-1 L^-1 x
  void solve(std::vector<double>& x) const;

 private:
  TriangleRows l_, u_;
  std::vector<int> columns_;
};

}  // namespace dojo::libraries
