// Triangular systems, conversions and operations on sparse vectors of cuSPARSE's generic calls, on the host.
#include <algorithm>
#include <utility>

#include "sparse_arrays.hpp"

using namespace dojo::libraries;

struct cusparseSpSVDescr {};
struct cusparseSpSMDescr {};

namespace {

/// The triangle of op(A) that its fill mode names, ready for substitution.
class Triangle {
 public:
  Triangle(const cusparseSpMatDescr& a, cusparseOperation_t op)
      : rows_(size_t(a.rows)), diagonal_(size_t(a.rows)) {
    need(a.rows == a.columns);
    lower_ = (a.fill == CUSPARSE_FILL_MODE_LOWER) == (op == CUSPARSE_OPERATION_NON_TRANSPOSE);
    const bool unit = a.diagonal == CUSPARSE_DIAG_TYPE_UNIT;
    if (unit) std::fill(diagonal_.begin(), diagonal_.end(), 1.0);
    for (const Entry& e : entries(a, op)) {
      if (e.row == e.column && !unit) diagonal_[size_t(e.row)] += e.value;
      if (lower_ ? e.column < e.row : e.column > e.row) rows_[size_t(e.row)].push_back(e);
    }
  }
  /// x in place of the right side.
  void solve(std::vector<double>& x) const {
    for (size_t k = 0; k < x.size(); ++k) {
      const size_t i = lower_ ? k : x.size() - 1 - k;
      for (const Entry& e : rows_[i]) x[i] -= e.value * x[size_t(e.column)];
      x[i] /= diagonal_[i];
    }
  }

 private:
  std::vector<std::vector<Entry>> rows_;
  std::vector<double> diagonal_;
  bool lower_ = true;
};

}  // namespace

extern "C" {

cusparseStatus_t cusparseSpSV_createDescr(cusparseSpSVDescr_t* d) {
  *d = new cusparseSpSVDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_destroyDescr(cusparseSpSVDescr_t d) {
  delete d;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSV_bufferSize(cusparseHandle_t, cusparseOperation_t, const void*,
                                         cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                         cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                         cusparseSpSVDescr_t, size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseSpSV_analysis(cusparseHandle_t, cusparseOperation_t, const void*,
                                       cusparseConstSpMatDescr_t, cusparseConstDnVecDescr_t,
                                       cusparseDnVecDescr_t, cudaDataType, cusparseSpSVAlg_t,
                                       cusparseSpSVDescr_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
/// op(A) y = alpha x
cusparseStatus_t cusparseSpSV_solve(cusparseHandle_t h, cusparseOperation_t op, const void* alpha,
                                    cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                    cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpSVAlg_t,
                                    cusparseSpSVDescr_t) {
  return computed(h, "cusparseSpSV", __builtin_return_address(0), [&] {
    need(x->size == a->rows && y->size == a->rows);
    std::vector<double> v = values_at(x->values, x->size, x->type);
    const double by = real_scalar(alpha, compute);
    for (double& e : v) e *= by;
    Triangle(*a, op).solve(v);
    put_values(y->values, v, y->type);
  });
}

cusparseStatus_t cusparseSpSM_createDescr(cusparseSpSMDescr_t* d) {
  *d = new cusparseSpSMDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_destroyDescr(cusparseSpSMDescr_t d) {
  delete d;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpSM_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                         const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                         cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t,
                                         cusparseSpSMDescr_t, size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseSpSM_analysis(cusparseHandle_t, cusparseOperation_t, cusparseOperation_t,
                                       const void*, cusparseConstSpMatDescr_t, cusparseConstDnMatDescr_t,
                                       cusparseDnMatDescr_t, cudaDataType, cusparseSpSMAlg_t,
                                       cusparseSpSMDescr_t, void*) {
  return CUSPARSE_STATUS_SUCCESS;
}
/// op(A) C = alpha op(B)
cusparseStatus_t cusparseSpSM_solve(cusparseHandle_t h, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                    const void* alpha, cusparseConstSpMatDescr_t a,
                                    cusparseConstDnMatDescr_t b, cusparseDnMatDescr_t c, cudaDataType compute,
                                    cusparseSpSMAlg_t, cusparseSpSMDescr_t) {
  return computed(h, "cusparseSpSM", __builtin_return_address(0), [&] {
    need(rows_of(*b, op_b) == a->rows && c->rows == a->rows && c->columns == columns_of(*b, op_b));
    const Triangle triangle(*a, op_a);
    const Dense from(*b);
    Dense to(*c);
    std::vector<double> column(size_t(c->rows));
    const double by = real_scalar(alpha, compute);
    for (int64_t j = 0; j < c->columns; ++j) {
      for (int64_t i = 0; i < c->rows; ++i) column[size_t(i)] = by * from.at(op_b, i, j);
      triangle.solve(column);
      for (int64_t i = 0; i < c->rows; ++i) to.at(i, j) = column[size_t(i)];
    }
    to.put();
  });
}

// ---- conversions ----

cusparseStatus_t cusparseSparseToDense_bufferSize(cusparseHandle_t, cusparseConstSpMatDescr_t,
                                                  cusparseDnMatDescr_t, cusparseSparseToDenseAlg_t,
                                                  size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseSparseToDense(cusparseHandle_t h, cusparseConstSpMatDescr_t a,
                                       cusparseDnMatDescr_t b, cusparseSparseToDenseAlg_t, void*) {
  return computed(h, "cusparseSparseToDense", __builtin_return_address(0), [&] {
    need(a->rows == b->rows && a->columns == b->columns);
    Dense to(*b);
    to.clear();
    for (const Entry& e : entries(*a, CUSPARSE_OPERATION_NON_TRANSPOSE)) to.at(e.row, e.column) = e.value;
    to.put();
  });
}

cusparseStatus_t cusparseDenseToSparse_bufferSize(cusparseHandle_t, cusparseConstDnMatDescr_t,
                                                  cusparseSpMatDescr_t, cusparseDenseToSparseAlg_t,
                                                  size_t* bytes) {
  return no_buffer(bytes);
}
/// Tells B how many entries it will have.
cusparseStatus_t cusparseDenseToSparse_analysis(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                                cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void*) {
  return computed(h, "cusparseDenseToSparse", __builtin_return_address(0), [&] {
    Dense from(*a);
    b->count = 0;
    for (int64_t i = 0; i < a->rows; ++i)
      for (int64_t j = 0; j < a->columns; ++j) b->count += from.at(i, j) != 0;
  });
}
cusparseStatus_t cusparseDenseToSparse_convert(cusparseHandle_t h, cusparseConstDnMatDescr_t a,
                                               cusparseSpMatDescr_t b, cusparseDenseToSparseAlg_t, void*) {
  return computed(h, "cusparseDenseToSparse", __builtin_return_address(0), [&] {
    need(a->rows == b->rows && a->columns == b->columns);
    Dense from(*a);
    std::vector<Entry> all;
    for (int64_t i = 0; i < a->rows; ++i)
      for (int64_t j = 0; j < a->columns; ++j)
        if (from.at(i, j) != 0) all.push_back({i, j, from.at(i, j)});
    need(b->count == int64_t(all.size()));
    put_entries(*b, std::move(all));
  });
}

// ---- sparse vectors ----

/// y = alpha x + beta y
cusparseStatus_t cusparseAxpby(cusparseHandle_t h, const void* alpha, cusparseConstSpVecDescr_t x,
                               const void* beta, cusparseDnVecDescr_t y) {
  return computed(h, "cusparseAxpby", __builtin_return_address(0), [&] {
    const std::vector<int64_t> at = indices_at(x->indices, x->count, x->index_type, x->base);
    const std::vector<double> from = values_at(x->values, x->count, x->type);
    std::vector<double> to = values_at(y->values, y->size, y->type);
    const double by = real_scalar(alpha, y->type), keep = real_scalar(beta, y->type);
    for (double& v : to) v = keep != 0 ? keep * v : 0;
    for (size_t i = 0; i < at.size(); ++i) {
      need(at[i] >= 0 && at[i] < y->size);
      to[size_t(at[i])] += by * from[i];
    }
    put_values(y->values, to, y->type);
  });
}
/// x[i] = y[x's index i]
cusparseStatus_t cusparseGather(cusparseHandle_t h, cusparseConstDnVecDescr_t y, cusparseSpVecDescr_t x) {
  return computed(h, "cusparseGather", __builtin_return_address(0), [&] {
    const std::vector<double> from = values_at(y->values, y->size, y->type);
    std::vector<double> to;
    for (int64_t i : indices_at(x->indices, x->count, x->index_type, x->base)) {
      need(i >= 0 && i < y->size);
      to.push_back(from[size_t(i)]);
    }
    put_values(x->values, to, x->type);
  });
}
/// y[x's index i] = x[i]
cusparseStatus_t cusparseScatter(cusparseHandle_t h, cusparseConstSpVecDescr_t x, cusparseDnVecDescr_t y) {
  return computed(h, "cusparseScatter", __builtin_return_address(0), [&] {
    const std::vector<int64_t> at = indices_at(x->indices, x->count, x->index_type, x->base);
    const std::vector<double> from = values_at(x->values, x->count, x->type);
    std::vector<double> to = values_at(y->values, y->size, y->type);
    for (size_t i = 0; i < at.size(); ++i) {
      need(at[i] >= 0 && at[i] < y->size);
      to[size_t(at[i])] = from[i];
    }
    put_values(y->values, to, y->type);
  });
}

}  // extern "C"
