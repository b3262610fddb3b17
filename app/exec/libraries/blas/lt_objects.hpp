#pragma once
// What cuBLASLt's opaque descriptors hold. Programs may keep them on their stack: each fits the opaque type.
// Defaults and sizes of attributes are those that cuBLASLt 13.1 gives.
#include <cublasLt.h>

#include <cstdint>

namespace dojo::libraries {

struct LtLayout {
  uint32_t type;
  int32_t order = CUBLASLT_ORDER_COL;
  uint64_t rows, columns;
  int64_t ld;
  int32_t batches = 1;
  int64_t stride = 0, plane = 0;
  uint32_t batch_mode = CUBLASLT_BATCH_MODE_STRIDED;
  bool by_row() const { return order == CUBLASLT_ORDER_ROW; }
  long step_row() const { return by_row() ? ld : 1; }
  long step_column() const { return by_row() ? 1 : ld; }
};

struct LtMatmul {
  int32_t compute, scale;
  int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int32_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N, op_c = CUBLAS_OP_N;
  int32_t fill = CUBLAS_FILL_MODE_FULL;
  uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  void* bias = nullptr;
  int64_t bias_stride = 0;
  void* aux = nullptr;
  int64_t aux_ld = 0, aux_stride = 0, alpha_stride = 0;
  const void *a_scale = nullptr, *b_scale = nullptr, *c_scale = nullptr, *d_scale = nullptr;
  void* d_largest = nullptr;
  const void* aux_scale = nullptr;
  void *aux_largest = nullptr, *d_out_scale = nullptr, *emulation = nullptr;
  int32_t aux_type = -1, bias_type = -1, sm_count = 0;
  int32_t scale_modes[6] = {};  ///< of A, B, C, D, the auxiliary matrix and D's own scale
  int8_t fast_sums = 0;
};

struct LtPreference {
  uint32_t search = CUBLASLT_SEARCH_BEST_FIT;
  uint32_t reductions = CUBLASLT_REDUCTION_SCHEME_MASK;
  uint64_t workspace = 0;
  uint32_t alignments[4] = {256, 256, 256, 256};
  float waves = 0;
  uint64_t implementations = ~uint64_t(0);
};

struct LtTransform {
  int32_t scale;
  int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  int32_t op_a = CUBLAS_OP_N, op_b = CUBLAS_OP_N;
};

static_assert(sizeof(LtLayout) <= sizeof(cublasLtMatrixLayoutOpaque_t));
static_assert(sizeof(LtMatmul) <= sizeof(cublasLtMatmulDescOpaque_t));
static_assert(sizeof(LtPreference) <= sizeof(cublasLtMatmulPreferenceOpaque_t));
static_assert(sizeof(LtTransform) <= sizeof(cublasLtMatrixTransformDescOpaque_t));

inline const LtLayout* contents(cublasLtMatrixLayout_t l) { return reinterpret_cast<const LtLayout*>(l); }
inline const LtMatmul* contents(cublasLtMatmulDesc_t d) { return reinterpret_cast<const LtMatmul*>(d); }
inline const LtTransform* contents(cublasLtMatrixTransformDesc_t d) {
  return reinterpret_cast<const LtTransform*>(d);
}

}  // namespace dojo::libraries
