#pragma once
// Matrices and factors that cuBLASLt's layouts and descriptors name.
#include "lt_objects.hpp"
#include "shared/guarded.hpp"
#include "typed_matrix.hpp"

namespace dojo::libraries {

inline cudaDataType type_of(const LtLayout& l) { return cudaDataType(l.type); }

/// Can matrices of this layout be computed with?
inline cublasStatus_t check_layout(const LtLayout& l) {
  if (l.order != CUBLASLT_ORDER_COL && l.order != CUBLASLT_ORDER_ROW) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (l.ld < int64_t(l.by_row() ? l.columns : l.rows) || l.batches < 1) return CUBLAS_STATUS_INVALID_VALUE;
  const bool plain = !l.plane && l.batch_mode == CUBLASLT_BATCH_MODE_STRIDED;
  return plain ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}

template <class T>
T* offset(T* at, int64_t elements, cudaDataType type) {
  using Byte = std::conditional_t<std::is_const_v<T>, const std::byte, std::byte>;
  return static_cast<Byte*>(at) + elements * int64_t(bytes_of(type));
}
/// op(M) of a batch.
inline TypedMatrix matrix(const void* at, const LtLayout& l, long batch, bool turned) {
  const void* from = offset(at, batch * l.stride, type_of(l));
  const long rows = long(l.rows), columns = long(l.columns);
  return turned ? TypedMatrix(from, type_of(l), columns, rows, l.step_column(), l.step_row())
                : TypedMatrix(from, type_of(l), rows, columns, l.step_row(), l.step_column());
}
/// A factor in host or device memory; of a null pointer `none`.
inline double scalar_or(double none, const void* at, cudaDataType type) {
  return at ? scalar(at, type) : none;
}

}  // namespace dojo::libraries
