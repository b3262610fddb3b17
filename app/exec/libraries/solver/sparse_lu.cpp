#include "sparse_lu.hpp"

#include <set>

namespace dojo::libraries {

void TriangleRows::sort_rows() {
  for (size_t row = 0; row + 1 < offsets_.size(); ++row) {
    std::vector<std::pair<int, double>> all;
    for (int e = offsets_[row]; e < offsets_[row + 1]; ++e) all.emplace_back(column(e), value(e));
    std::sort(all.begin(), all.end());
    for (int e = offsets_[row]; const auto& [c, v] : all) columns_[size_t(e)] = c, values_[size_t(e++)] = v;
  }
}

void TriangleRows::copy(int base, bool ones, int* rows, int* columns, double* values) const {
  int to = 0;
  rows[0] = base;
  for (int row = 0; row + 1 < int(offsets_.size()); ++row) {
    for (int e = first(row); e < last(row) - ones; ++e, ++to)
      columns[to] = column(e) + base, values[to] = value(e);
    rows[row + 1] = to + base;
  }
}

SparseLu::SparseLu(const Pattern& a, const double* values, double threshold, const ZeroPivots* zeros) {
  const int n = a.rows();
  std::vector<int> place(size_t(n), -1);  // of a column: the row whose pivot it is
  std::vector<double> row(static_cast<size_t>(n));
  std::vector<bool> in_row(static_cast<size_t>(n)), counts_as_zero(static_cast<size_t>(n));
  for (int i = 0; i < n; ++i) {
    std::set<int> before;   // rows whose pivots' columns this row has
    std::vector<int> left;  // its other columns
    const auto add = [&](int column, double v) {
      if (!in_row[size_t(column)]) {
        in_row[size_t(column)] = true;
        if (place[size_t(column)] >= 0)
          before.insert(place[size_t(column)]);
        else
          left.push_back(column);
      }
      row[size_t(column)] += v;
    };
    for (int e = a.offsets[size_t(i)]; e < a.offsets[size_t(i) + 1]; ++e)
      add(a.columns[size_t(e)], values[e]);
    while (!before.empty()) {
      const int k = *before.begin();
      before.erase(before.begin());
      // U's rows hold A's columns until all are placed; the pivot is first.
      const int pivot = u_.column(u_.first(k));
      const bool zero = counts_as_zero[size_t(k)];
      const double multiple = row[size_t(pivot)] / (zero ? 1 : u_.value(u_.first(k)));
      l_.add(k, multiple);
      row[size_t(pivot)] = 0, in_row[size_t(pivot)] = false;
      if (zero) continue;
      for (int e = u_.first(k) + 1; e < u_.last(k); ++e) add(u_.column(e), -multiple * u_.value(e));
    }
    l_.add(i, 1);
    l_.end_row();
    int best = -1;
    const auto size = [&](int column) { return std::fabs(row[size_t(column)]); };
    for (const int column : left)
      if (threshold >= 0 && (best < 0 || size(column) > size(best))) best = column;
    const bool on_diagonal =
        place[size_t(i)] < 0 && (best < 0 || (in_row[size_t(i)] && size(i) >= threshold * size(best)));
    if (on_diagonal) best = i;
    if (best < 0) best = int(std::find(place.begin(), place.end(), -1) - place.begin());
    place[size_t(best)] = i;
    columns_.push_back(best);
    counts_as_zero[size_t(i)] = zeros && size(best) <= zeros->zero;
    u_.add(best, counts_as_zero[size_t(i)] && zeros->boost > 0 ? zeros->boost : row[size_t(best)]);
    for (const int column : left) {
      if (column != best) u_.add(column, row[size_t(column)]);
      row[size_t(column)] = 0, in_row[size_t(column)] = false;
    }
    row[size_t(best)] = 0, in_row[size_t(best)] = false;
    u_.end_row();
  }
  for (int e = 0; e < u_.entries(); ++e) u_.column(e) = place[size_t(u_.column(e))];
  u_.sort_rows();
}

int SparseLu::zero_pivot(double tolerance) const {
  for (int i = 0; i < int(columns_.size()); ++i)
    if (std::fabs(u_.value(u_.first(i))) <= tolerance) return i;
  return -1;
}

void SparseLu::solve(std::vector<double>& x) const {
  const int n = int(columns_.size());
  for (int i = 0; i < n; ++i)
    for (int e = l_.first(i); e < l_.last(i) - 1; ++e) x[size_t(i)] -= l_.value(e) * x[size_t(l_.column(e))];
  for (int i = n - 1; i >= 0; --i) {
    for (int e = u_.first(i) + 1; e < u_.last(i); ++e) x[size_t(i)] -= u_.value(e) * x[size_t(u_.column(e))];
    x[size_t(i)] /= u_.value(u_.first(i));
  }
}

}  // namespace dojo::libraries
