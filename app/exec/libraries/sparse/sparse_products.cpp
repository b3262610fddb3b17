// Products of cuSPARSE's generic calls, computed on the host with double sums.
#include <algorithm>
#include <map>
#include <utility>

#include "sparse_arrays.hpp"

using namespace dojo::libraries;

/// What cusparseSpGEMM_compute leaves for cusparseSpGEMM_copy.
struct cusparseSpGEMMDescr {
  std::vector<Entry> product;
};

namespace {

/// alpha sum + beta old; an old value that is not a number does not count where beta is 0.
double combined(double alpha, double sum, double beta, double old) {
  return alpha * sum + (beta != 0 ? beta * old : 0);
}

void multiply(const std::vector<Entry>& a, cusparseOperation_t op_b, const Dense& b, double alpha,
              double beta, const cusparseDnMatDescr& into, Dense& c) {
  std::vector<double> sums(size_t(into.rows * into.columns));
  for (const Entry& e : a)
    for (int64_t j = 0; j < into.columns; ++j)
      sums[size_t(e.row * into.columns + j)] += e.value * b.at(op_b, e.column, j);
  for (int64_t i = 0; i < into.rows; ++i)
    for (int64_t j = 0; j < into.columns; ++j)
      c.at(i, j) = combined(alpha, sums[size_t(i * into.columns + j)], beta, c.at(i, j));
}

/// A B without zeros that no pair of entries makes; entries by row and column.
std::vector<Entry> product(const std::vector<Entry>& a, const std::vector<Entry>& b) {
  std::map<int64_t, std::vector<const Entry*>> rows_of_b;
  for (const Entry& e : b) rows_of_b[e.row].push_back(&e);
  std::map<std::pair<int64_t, int64_t>, double> sums;
  for (const Entry& e : a)
    if (const auto row = rows_of_b.find(e.column); row != rows_of_b.end())
      for (const Entry* f : row->second) sums[{e.row, f->column}] += e.value * f->value;
  std::vector<Entry> all;
  for (const auto& [place, value] : sums) all.push_back({place.first, place.second, value});
  return all;
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t,
                                         size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t, const void*,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpMVAlg_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
/// y = alpha op(A) x + beta y
cusparseStatus_t cusparseSpMV(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void* beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t, void*) {
  return computed(h, "cusparseSpMV", __builtin_return_address(0), [&] {
    need(x->size == columns_of(*a, op) && y->size == rows_of(*a, op));
    const std::vector<double> from = values_at(x->values, x->size, x->type);
    std::vector<double> to = values_at(y->values, y->size, y->type), sums(to.size());
    for (const Entry& e : entries(*a, op)) sums[size_t(e.row)] += e.value * from[size_t(e.column)];
    const double by = real_scalar(alpha, compute), keep = real_scalar(beta, compute);
    for (size_t i = 0; i < to.size(); ++i) to[i] = combined(by, sums[i], keep, to[i]);
    put_values(y->values, to, y->type);
  });
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void*, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         const void*, cusparseDnMatDescr_t, cudaDataType, cusparseSpMMAlg_t,
                                         void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
/// C = alpha op(A) op(B) + beta C, for each matrix of a batch of A, B and C
cusparseStatus_t cusparseSpMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void* alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                              const void* beta, cusparseDnMatDescr_t c, cudaDataType compute,
                              cusparseSpMMAlg_t, void*) {
  return computed(h, "cusparseSpMM", __builtin_return_address(0), [&] {
    need(rows_of(*b, op_b) == columns_of(*a, op_a) && c->rows == rows_of(*a, op_a) &&
         c->columns == columns_of(*b, op_b));
    std::vector<Entry> sparse;
    for (int batch = 0; batch < c->batches; ++batch) {
      if (batch == 0 || a->batches > 1) sparse = entries(matrix_of(*a, batch), op_a);
      const Dense from(*b, b->batches > 1 ? batch : 0);
      Dense to(*c, batch);
      multiply(sparse, op_b, from, real_scalar(alpha, compute), real_scalar(beta, compute), *c, to);
      to.put();
    }
  });
}

cusparseStatus_t cusparseSDDMM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                          const void*, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                          const void*, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                          size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseSDDMM_preprocess(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                          const void*, cusparseConstDnMatDescr_t, cusparseConstDnMatDescr_t,
                                          const void*, cusparseSpMatDescr_t, cudaDataType, cusparseSDDMMAlg_t,
                                          void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
/// C = alpha op(A) op(B) + beta C, at C's entries only
cusparseStatus_t cusparseSDDMM(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                               const void* alpha, cusparseConstDnMatDescr_t a, cusparseConstDnMatDescr_t b,
                               const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                               cusparseSDDMMAlg_t, void*) {
  return computed(h, "cusparseSDDMM", __builtin_return_address(0), [&] {
    const int64_t terms = columns_of(*a, op_a);
    need(rows_of(*b, op_b) == terms && c->rows == rows_of(*a, op_a) && c->columns == columns_of(*b, op_b));
    const double by = real_scalar(alpha, compute), keep = real_scalar(beta, compute);
    for (int batch = 0; batch < c->batches; ++batch) {
      const Dense left(*a, a->batches > 1 ? batch : 0), right(*b, b->batches > 1 ? batch : 0);
      const cusparseSpMatDescr to = matrix_of(*c, batch);
      std::vector<double> values;
      for (const Entry& e : entries(to, CUSPARSE_OPERATION_NON_TRANSPOSE)) {
        double sum = 0;
        for (int64_t k = 0; k < terms; ++k) sum += left.at(op_a, e.row, k) * right.at(op_b, k, e.column);
        values.push_back(combined(by, sum, keep, e.value));
      }
      put_values(to.values, values, c->type);
    }
  });
}

cusparseStatus_t cusparseSpGEMM_createDescr(cusparseSpGEMMDescr_t* d) {
  *d = new cusparseSpGEMMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_destroyDescr(cusparseSpGEMMDescr_t d) {
  delete d;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpGEMM_workEstimation(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                               const void*, cusparseConstSpMatDescr_t,
                                               cusparseConstSpMatDescr_t, const void*, cusparseSpMatDescr_t,
                                               cudaDataType, cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t,
                                               size_t* bytes, void*) {
  return no_buffer(bytes);
}
/// With a buffer: multiplies, and tells C how many entries it will have.
cusparseStatus_t cusparseSpGEMM_compute(cusparseHandle_t h, cusparseOperation_t op_a,
                                        cusparseOperation_t op_b, const void* alpha,
                                        cusparseConstSpMatDescr_t a, cusparseConstSpMatDescr_t b,
                                        const void* beta, cusparseSpMatDescr_t c, cudaDataType compute,
                                        cusparseSpGEMMAlg_t, cusparseSpGEMMDescr_t d, size_t* bytes,
                                        void* buffer) {
  if (!buffer) return no_buffer(bytes);
  return computed(h, "cusparseSpGEMM", __builtin_return_address(0), [&] {
    need(columns_of(*a, op_a) == rows_of(*b, op_b) && c->rows == rows_of(*a, op_a) &&
         c->columns == columns_of(*b, op_b));
    need(real_scalar(beta, compute) == 0, CUSPARSE_STATUS_NOT_SUPPORTED);
    d->product = product(entries(*a, op_a), entries(*b, op_b));
    const double by = real_scalar(alpha, compute);
    for (Entry& e : d->product) e.value *= by;
    c->count = int64_t(d->product.size());
  });
}
cusparseStatus_t cusparseSpGEMM_copy(cusparseHandle_t h, cusparseOperation_t, cusparseOperation_t,
                                     const void*, cusparseConstSpMatDescr_t, cusparseConstSpMatDescr_t,
                                     const void*, cusparseSpMatDescr_t c, cudaDataType, cusparseSpGEMMAlg_t,
                                     cusparseSpGEMMDescr_t d) {
  return computed(h, "cusparseSpGEMM", __builtin_return_address(0), [&] {
    need(c->count == int64_t(d->product.size()));
    put_entries(*c, d->product);
  });
}

}  // extern "C"
