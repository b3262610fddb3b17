// Incomplete factors of cuSPARSE (csric02, csrilu02), matrix descriptions of its older calls, conversions
// between lists of coordinates and rows, and the dot product and rotation of a sparse vector; on the host.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

#include "sparse_arrays.hpp"

using namespace dojo::libraries;

struct cusparseMatDescr {
  cusparseMatrixType_t type = CUSPARSE_MATRIX_TYPE_GENERAL;
  cusparseFillMode_t fill = CUSPARSE_FILL_MODE_LOWER;
  cusparseDiagType_t diagonal = CUSPARSE_DIAG_TYPE_NON_UNIT;
  cusparseIndexBase_t base = CUSPARSE_INDEX_BASE_ZERO;
};
struct csric02Info {
  int zero_pivot = -1;  ///< as the program counts
};
struct csrilu02Info {
  int zero_pivot = -1;
};

namespace {

/// A square matrix by rows, whose values change in place.
struct Rows {
  std::vector<int64_t> offsets, columns;
  std::vector<double> values;
  std::vector<std::map<int64_t, size_t>> at;  ///< by row: column -> place in values
  Rows(int rows, int count, const cusparseMatDescr& d, const void* v, const int* of_rows,
       const int* of_columns, cudaDataType type)
      : offsets(indices_at(of_rows, rows + 1, CUSPARSE_INDEX_32I, d.base)),
        columns(indices_at(of_columns, count, CUSPARSE_INDEX_32I, d.base)),
        values(values_at(v, count, type)),
        at(size_t(rows)) {
    for (size_t i = 0; i < at.size(); ++i)
      for (int64_t k = offsets[i]; k < offsets[i + 1]; ++k) {
        need(k >= 0 && k < count && columns[size_t(k)] >= 0 && columns[size_t(k)] < rows);
        at[i][columns[size_t(k)]] = size_t(k);
      }
  }
  double* find(size_t row, int64_t column) {
    const auto found = at[row].find(column);
    return found == at[row].end() ? nullptr : &values[found->second];
  }
};

/// L of A = L L^T, where A has entries. Returns the first row without a positive pivot, or -1.
int cholesky(Rows& a) {
  int zero = -1;
  for (size_t i = 0; i < a.at.size(); ++i) {
    double rest = 0;
    for (auto& [column, place] : a.at[i]) {
      if (column >= int64_t(i)) break;
      double sum = a.values[place];
      for (auto& [j, other] : a.at[i]) {
        if (j >= column) break;
        if (const double* v = a.find(size_t(column), j)) sum -= a.values[other] * *v;
      }
      const double* const pivot = a.find(size_t(column), column);
      a.values[place] = sum / (pivot ? *pivot : 0);
      rest += a.values[place] * a.values[place];
    }
    double* const pivot = a.find(i, int64_t(i));
    if (zero < 0 && (!pivot || !(*pivot - rest > 0))) zero = int(i);
    if (pivot) *pivot = std::sqrt(*pivot - rest);
  }
  return zero;
}

/// L and U of A = L U, where A has entries; L's diagonal of ones is not stored. Returns as cholesky().
int lower_upper(Rows& a) {
  int zero = -1;
  for (size_t i = 0; i < a.at.size(); ++i) {
    for (auto& [column, place] : a.at[i]) {
      if (column >= int64_t(i)) break;
      const double* const pivot = a.find(size_t(column), column);
      const double by = a.values[place] /= pivot ? *pivot : 0;
      for (auto& [j, other] : a.at[i])
        if (j > column)
          if (const double* v = a.find(size_t(column), j)) a.values[other] -= by * *v;
    }
    const double* const pivot = a.find(i, int64_t(i));
    if (zero < 0 && (!pivot || *pivot == 0)) zero = int(i);
  }
  return zero;
}

template <class Info>
cusparseStatus_t zero_pivot(const Info* info, int* position) {
  if (!info || !position) return CUSPARSE_STATUS_INVALID_VALUE;
  *position = info->zero_pivot;
  return info->zero_pivot < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
}

void put_ints(int* at, const std::vector<int>& all) {
  if (!all.empty()) cudaMemcpy(at, all.data(), all.size() * sizeof(int), cudaMemcpyDefault);
}

/// Sorts coordinates, and the permutation P with them.
void sort_pairs(int count, int* first, int* second, int* permutation) {
  const Copied<int> a(first, size_t(count)), b(second, size_t(count)),
      p(permutation, permutation ? size_t(count) : 0);
  std::vector<size_t> order(static_cast<size_t>(count));
  std::iota(order.begin(), order.end(), size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t x, size_t y) { return std::tie(a.v[x], b.v[x]) < std::tie(a.v[y], b.v[y]); });
  std::vector<int> major, minor, moved;
  for (const size_t i : order) {
    major.push_back(a.v[i]), minor.push_back(b.v[i]);
    if (permutation) moved.push_back(p.v[i]);
  }
  put_ints(first, major), put_ints(second, minor), put_ints(permutation, moved);
}

}  // namespace

extern "C" {

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* d) {
  *d = new cusparseMatDescr;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t d) {
  delete d;
  return CUSPARSE_STATUS_SUCCESS;
}
#define OF_MATRIX(NAME, T, MEMBER)                                    \
  cusparseStatus_t cusparseSet##NAME(cusparseMatDescr_t d, T value) { \
    if (!d) return CUSPARSE_STATUS_INVALID_VALUE;                     \
    d->MEMBER = value;                                                \
    return CUSPARSE_STATUS_SUCCESS;                                   \
  }                                                                   \
  T cusparseGet##NAME(const cusparseMatDescr_t d) { return d->MEMBER; }
OF_MATRIX(MatType, cusparseMatrixType_t, type)
OF_MATRIX(MatFillMode, cusparseFillMode_t, fill)
OF_MATRIX(MatDiagType, cusparseDiagType_t, diagonal)
OF_MATRIX(MatIndexBase, cusparseIndexBase_t, base)

#define FACTOR(S, T, TYPE, NAME, FACTORS)                                                                   \
  cusparseStatus_t cusparse##S##NAME##_bufferSize(cusparseHandle_t, int, int, const cusparseMatDescr_t, T*, \
                                                  const int*, const int*, NAME##Info_t, int* bytes) {       \
    *bytes = 16;                                                                                            \
    return CUSPARSE_STATUS_SUCCESS;                                                                         \
  }                                                                                                         \
  cusparseStatus_t cusparse##S##NAME##_analysis(                                                            \
      cusparseHandle_t h, int m, int count, const cusparseMatDescr_t d, const T* values, const int* rows,   \
      const int* columns, NAME##Info_t info, cusparseSolvePolicy_t, void*) {                                \
    return computed(h, "cusparse" #S #NAME, __builtin_return_address(0), [&] {                              \
      Rows a(m, count, *d, values, rows, columns, TYPE);                                                    \
      info->zero_pivot = -1;                                                                                \
      for (int i = m; i-- > 0;)                                                                             \
        if (!a.find(size_t(i), i)) info->zero_pivot = i + d->base;                                          \
    });                                                                                                     \
  }                                                                                                         \
  cusparseStatus_t cusparse##S##NAME(cusparseHandle_t h, int m, int count, const cusparseMatDescr_t d,      \
                                     T* values, const int* rows, const int* columns, NAME##Info_t info,     \
                                     cusparseSolvePolicy_t, void*) {                                        \
    return computed(h, "cusparse" #S #NAME, __builtin_return_address(0), [&] {                              \
      Rows a(m, count, *d, values, rows, columns, TYPE);                                                    \
      const int zero = FACTORS(a);                                                                          \
      info->zero_pivot = zero < 0 ? -1 : zero + int(d->base);                                               \
      put_values(values, a.values, TYPE);                                                                   \
    });                                                                                                     \
  }
#define FACTORS_OF(NAME, UPPER, FACTORS)                                                             \
  cusparseStatus_t cusparseCreate##UPPER##Info(NAME##Info_t* info) {                                 \
    *info = new NAME##Info;                                                                          \
    return CUSPARSE_STATUS_SUCCESS;                                                                  \
  }                                                                                                  \
  cusparseStatus_t cusparseDestroy##UPPER##Info(NAME##Info_t info) {                                 \
    delete info;                                                                                     \
    return CUSPARSE_STATUS_SUCCESS;                                                                  \
  }                                                                                                  \
  cusparseStatus_t cusparseX##NAME##_zeroPivot(cusparseHandle_t, NAME##Info_t info, int* position) { \
    return zero_pivot(info, position);                                                               \
  }                                                                                                  \
  FACTOR(S, float, CUDA_R_32F, NAME, FACTORS)                                                        \
  FACTOR(D, double, CUDA_R_64F, NAME, FACTORS)
FACTORS_OF(csric02, Csric02, cholesky)
FACTORS_OF(csrilu02, Csrilu02, lower_upper)

cusparseStatus_t cusparseXcoo2csr(cusparseHandle_t h, const int* of_rows, int count, int rows, int* offsets,
                                  cusparseIndexBase_t base) {
  return computed(h, "cusparseXcoo2csr", __builtin_return_address(0), [&] {
    std::vector<int> all(size_t(rows) + 1);
    for (const int64_t row : indices_at(of_rows, count, CUSPARSE_INDEX_32I, base)) {
      need(row >= 0 && row < rows);
      ++all[size_t(row) + 1];
    }
    all[0] = int(base);
    std::partial_sum(all.begin(), all.end(), all.begin());
    put_ints(offsets, all);
  });
}
cusparseStatus_t cusparseXcsr2coo(cusparseHandle_t h, const int* offsets, int count, int rows, int* of_rows,
                                  cusparseIndexBase_t base) {
  return computed(h, "cusparseXcsr2coo", __builtin_return_address(0), [&] {
    const std::vector<int64_t> all = indices_at(offsets, rows + 1, CUSPARSE_INDEX_32I, base);
    std::vector<int> out;
    for (int i = 0; i < rows; ++i)
      for (int64_t k = all[size_t(i)]; k < all[size_t(i) + 1]; ++k) out.push_back(i + int(base));
    need(int(out.size()) <= count);
    put_ints(of_rows, out);
  });
}
cusparseStatus_t cusparseCreateIdentityPermutation(cusparseHandle_t h, int n, int* p) {
  return computed(h, "cusparseCreateIdentityPermutation", __builtin_return_address(0), [&] {
    std::vector<int> all(static_cast<size_t>(std::max(0, n)));
    std::iota(all.begin(), all.end(), 0);
    put_ints(p, all);
  });
}
cusparseStatus_t cusparseXcoosort_bufferSizeExt(cusparseHandle_t, int, int, int, const int*, const int*,
                                                size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseXcoosortByRow(cusparseHandle_t h, int, int, int count, int* rows, int* columns,
                                       int* p, void*) {
  return computed(h, "cusparseXcoosort", __builtin_return_address(0),
                  [&] { sort_pairs(count, rows, columns, p); });
}
cusparseStatus_t cusparseXcoosortByColumn(cusparseHandle_t h, int, int, int count, int* rows, int* columns,
                                          int* p, void*) {
  return computed(h, "cusparseXcoosort", __builtin_return_address(0),
                  [&] { sort_pairs(count, columns, rows, p); });
}
cusparseStatus_t cusparseCsr2cscEx2_bufferSize(cusparseHandle_t, int, int, int, const void*, const int*,
                                               const int*, void*, int*, int*, cudaDataType, cusparseAction_t,
                                               cusparseIndexBase_t, cusparseCsr2CscAlg_t, size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseCsr2cscEx2(cusparseHandle_t h, int m, int n, int count, const void* values,
                                    const int* offsets, const int* columns, void* out_values,
                                    int* out_offsets, int* out_rows, cudaDataType type, cusparseAction_t,
                                    cusparseIndexBase_t base, cusparseCsr2CscAlg_t, void*) {
  return computed(h, "cusparseCsr2cscEx2", __builtin_return_address(0), [&] {
    const cusparseSpMatDescr from{m,
                                  n,
                                  count,
                                  CUSPARSE_FORMAT_CSR,
                                  const_cast<int*>(offsets),
                                  const_cast<int*>(columns),
                                  const_cast<void*>(values),
                                  CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_32I,
                                  base,
                                  type};
    const cusparseSpMatDescr to{m,
                                n,
                                count,
                                CUSPARSE_FORMAT_CSC,
                                out_offsets,
                                out_rows,
                                out_values,
                                CUSPARSE_INDEX_32I,
                                CUSPARSE_INDEX_32I,
                                base,
                                type};
    put_entries(to, entries(from, CUSPARSE_OPERATION_NON_TRANSPOSE));
  });
}

cusparseStatus_t cusparseSpVV_bufferSize(cusparseHandle_t, cusparseOperation_t, cusparseConstSpVecDescr_t,
                                         cusparseConstDnVecDescr_t, const void*, cudaDataType,
                                         size_t* bytes) {
  return no_buffer(bytes);
}
cusparseStatus_t cusparseSpVV(cusparseHandle_t h, cusparseOperation_t, cusparseConstSpVecDescr_t x,
                              cusparseConstDnVecDescr_t y, void* result, cudaDataType compute, void*) {
  return computed(h, "cusparseSpVV", __builtin_return_address(0), [&] {
    const std::vector<int64_t> places = indices_at(x->indices, x->count, x->index_type, x->base);
    const std::vector<double> a = values_at(x->values, x->count, x->type),
                              b = values_at(y->values, y->size, y->type);
    double sum = 0;
    for (size_t i = 0; i < places.size(); ++i) {
      need(places[i] >= 0 && places[i] < y->size);
      sum += a[i] * b[size_t(places[i])];
    }
    put_values(result, {sum}, compute);
  });
}
cusparseStatus_t cusparseRot(cusparseHandle_t h, const void* c, const void* s, cusparseSpVecDescr_t x,
                             cusparseDnVecDescr_t y) {
  return computed(h, "cusparseRot", __builtin_return_address(0), [&] {
    const std::vector<int64_t> places = indices_at(x->indices, x->count, x->index_type, x->base);
    std::vector<double> a = values_at(x->values, x->count, x->type),
                        b = values_at(y->values, y->size, y->type);
    const double cosine = real_scalar(c, x->type), sine = real_scalar(s, x->type);
    for (size_t i = 0; i < places.size(); ++i) {
      need(places[i] >= 0 && places[i] < y->size);
      double& other = b[size_t(places[i])];
      const double one = cosine * a[i] + sine * other;
      other = cosine * other - sine * a[i];
      a[i] = one;
    }
    put_values(x->values, a, x->type), put_values(y->values, b, y->type);
  });
}

}  // extern "C"
