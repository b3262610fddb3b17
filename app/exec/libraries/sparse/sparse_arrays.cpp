#include "sparse_arrays.hpp"

#include <algorithm>
#include <tuple>

#include "shared/numbers.hpp"

namespace dojo::libraries {
namespace {

/// A copy of `count` elements as another type.
template <class From, class To>
std::vector<To> read_as(const void* at, int64_t count) {
  const Copied<From> all(at, size_t(count));
  return std::vector<To>(all.v.begin(), all.v.end());
}

template <class Stored, class Value>
void write_as(void* at, const std::vector<Value>& values) {
  const std::vector<Stored> all(values.begin(), values.end());
  if (!all.empty()) cudaMemcpy(at, all.data(), all.size() * sizeof(Stored), cudaMemcpyDefault);
}

void put_indices(void* at, std::vector<int64_t> all, cusparseIndexType_t type, cusparseIndexBase_t base) {
  for (int64_t& i : all) i += base;
  type == CUSPARSE_INDEX_64I ? write_as<int64_t>(at, all) : write_as<int32_t>(at, all);
}

bool plain(cusparseOperation_t op) { return op == CUSPARSE_OPERATION_NON_TRANSPOSE; }

/// Rows or columns of all entries, of how many each has.
std::vector<int64_t> expanded(const std::vector<int64_t>& offsets) {
  std::vector<int64_t> all;
  for (size_t line = 0; line + 1 < offsets.size(); ++line)
    all.insert(all.end(), size_t(std::max<int64_t>(0, offsets[line + 1] - offsets[line])), int64_t(line));
  return all;
}

}  // namespace

void need(bool right, cusparseStatus_t status) {
  if (!right) throw status;
}

std::vector<double> values_at(const void* at, int64_t count, cudaDataType type) {
  need(type == CUDA_R_32F || type == CUDA_R_64F, CUSPARSE_STATUS_NOT_SUPPORTED);
  return type == CUDA_R_64F ? read_as<double, double>(at, count) : read_as<float, double>(at, count);
}

void put_values(void* at, const std::vector<double>& values, cudaDataType type) {
  need(type == CUDA_R_32F || type == CUDA_R_64F, CUSPARSE_STATUS_NOT_SUPPORTED);
  type == CUDA_R_64F ? write_as<double>(at, values) : write_as<float>(at, values);
}

double real_scalar(const void* at, cudaDataType type) { return values_at(at, 1, type)[0]; }

std::vector<int64_t> indices_at(const void* at, int64_t count, cusparseIndexType_t type,
                                cusparseIndexBase_t base) {
  need(type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I, CUSPARSE_STATUS_NOT_SUPPORTED);
  std::vector<int64_t> all = type == CUSPARSE_INDEX_64I ? read_as<int64_t, int64_t>(at, count)
                                                        : read_as<int32_t, int64_t>(at, count);
  for (int64_t& i : all) i -= base;
  return all;
}

std::vector<Entry> entries(const cusparseSpMatDescr& a, cusparseOperation_t op) {
  const bool pairs = a.format == CUSPARSE_FORMAT_COO;
  const int64_t lines = a.format == CUSPARSE_FORMAT_CSC ? a.columns : a.rows;
  std::vector<int64_t> major =
      indices_at(a.offsets, pairs ? a.count : lines + 1, pairs ? a.index_type : a.offset_type, a.base);
  if (!pairs) major = expanded(major);
  const std::vector<int64_t> minor = indices_at(a.indices, a.count, a.index_type, a.base);
  const std::vector<double> values = values_at(a.values, a.count, a.type);
  // The offsets tell how many there are; a count that is too large does no harm to cuSPARSE.
  need(major.size() <= minor.size());
  std::vector<Entry> all(major.size());
  const bool swap = (a.format == CUSPARSE_FORMAT_CSC) == plain(op);
  for (size_t i = 0; i < all.size(); ++i) {
    all[i] = {swap ? minor[i] : major[i], swap ? major[i] : minor[i], values[i]};
    need(all[i].row >= 0 && all[i].row < rows_of(a, op) && all[i].column >= 0 &&
         all[i].column < columns_of(a, op));
  }
  return all;
}

cusparseSpMatDescr matrix_of(const cusparseSpMatDescr& all, int batch) {
  const auto later = [batch](void* at, int64_t stride, int64_t bytes) -> void* {
    return static_cast<char*>(at) + batch * stride * bytes;
  };
  const auto bytes_of_index = [](cusparseIndexType_t type) { return type == CUSPARSE_INDEX_64I ? 8 : 4; };
  cusparseSpMatDescr one = all;
  if (all.batches <= 1) return one;
  const bool pairs = all.format == CUSPARSE_FORMAT_COO;
  one.offsets = later(all.offsets, pairs ? all.entry_stride : all.offset_stride,
                      bytes_of_index(pairs ? all.index_type : all.offset_type));
  one.indices = later(all.indices, all.entry_stride, bytes_of_index(all.index_type));
  one.values = later(all.values, all.entry_stride, int64_t(bytes_of(all.type)));
  return one;
}
int64_t rows_of(const cusparseSpMatDescr& a, cusparseOperation_t op) {
  return plain(op) ? a.rows : a.columns;
}
int64_t columns_of(const cusparseSpMatDescr& a, cusparseOperation_t op) {
  return plain(op) ? a.columns : a.rows;
}

void put_entries(const cusparseSpMatDescr& a, std::vector<Entry> all) {
  const bool by_column = a.format == CUSPARSE_FORMAT_CSC;
  std::sort(all.begin(), all.end(), [&](const Entry& x, const Entry& y) {
    return by_column ? std::tie(x.column, x.row) < std::tie(y.column, y.row)
                     : std::tie(x.row, x.column) < std::tie(y.row, y.column);
  });
  const int64_t lines = by_column ? a.columns : a.rows;
  std::vector<int64_t> offsets(size_t(lines) + 1), major, minor;
  std::vector<double> values;
  for (const Entry& e : all) {
    major.push_back(by_column ? e.column : e.row);
    minor.push_back(by_column ? e.row : e.column);
    values.push_back(e.value);
    ++offsets[size_t(major.back()) + 1];
  }
  for (size_t line = 1; line < offsets.size(); ++line) offsets[line] += offsets[line - 1];
  const bool pairs = a.format == CUSPARSE_FORMAT_COO;
  put_indices(a.offsets, pairs ? major : offsets, pairs ? a.index_type : a.offset_type, a.base);
  put_indices(a.indices, minor, a.index_type, a.base);
  put_values(a.values, values, a.type);
}

Dense::Dense(const cusparseDnMatDescr& m, int batch) : m_(m) {
  const bool by_column = m.order == CUSPARSE_ORDER_COL;
  const int64_t lines = by_column ? m.columns : m.rows, length = by_column ? m.rows : m.columns;
  need(m.leading >= length);
  const int64_t count = lines > 0 && length > 0 ? (lines - 1) * m.leading + length : 0;
  const auto bytes = int64_t(bytes_of(m.type));
  first_ = static_cast<char*>(m.values) + batch * m.batch_stride * bytes;
  values_ = values_at(first_, count, m.type);
}

void Dense::clear() {
  for (int64_t row = 0; row < m_.rows; ++row)
    for (int64_t column = 0; column < m_.columns; ++column) at(row, column) = 0;
}

int64_t rows_of(const cusparseDnMatDescr& m, cusparseOperation_t op) {
  return plain(op) ? m.rows : m.columns;
}
int64_t columns_of(const cusparseDnMatDescr& m, cusparseOperation_t op) {
  return plain(op) ? m.columns : m.rows;
}

}  // namespace dojo::libraries
