// cuBLASLt's C = alpha op(A) + beta op(B), which also changes types and orders, and its lists of algorithms:
// there is one, number 0, for everything.
#include "lt_matrices.hpp"

namespace {
using namespace dojo::libraries;

cublasStatus_t check_transformed(const LtLayout& l, bool turned, const LtLayout& out) {
  const uint64_t rows = turned ? l.columns : l.rows, columns = turned ? l.rows : l.columns;
  if (rows != out.rows || columns != out.columns || l.batches != out.batches)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (const cublasStatus_t s = check_layout(l)) return s;
  return bytes_of(type_of(l)) ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_SUPPORTED;
}
}  // namespace

extern "C" {

cublasStatus_t cublasLtMatrixTransform(cublasLtHandle_t h, cublasLtMatrixTransformDesc_t op,
                                       const void* alpha, const void* a, cublasLtMatrixLayout_t layout_a,
                                       const void* beta, const void* b, cublasLtMatrixLayout_t layout_b,
                                       void* c, cublasLtMatrixLayout_t layout_c, cudaStream_t stream) {
  __cudaDojoNotSimulated("cublasLtMatrixTransform", __builtin_return_address(0));
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!op || !c || !layout_c) return CUBLAS_STATUS_INVALID_VALUE;
  const LtTransform& t = *contents(op);
  const LtLayout& out = *contents(layout_c);
  if (t.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  const auto scale = cudaDataType(t.scale);
  const double by = scalar_or(0, alpha, scale), keep = scalar_or(0, beta, scale);
  const bool turned_a = t.op_a != CUBLAS_OP_N, turned_b = t.op_b != CUBLAS_OP_N;
  if ((by != 0 && (!a || !layout_a)) || (keep != 0 && (!b || !layout_b))) return CUBLAS_STATUS_INVALID_VALUE;
  if (const cublasStatus_t s = check_transformed(out, false, out)) return s;
  if (by != 0)
    if (const cublasStatus_t s = check_transformed(*contents(layout_a), turned_a, out)) return s;
  if (keep != 0)
    if (const cublasStatus_t s = check_transformed(*contents(layout_b), turned_b, out)) return s;
  return guarded(CUBLAS_STATUS_ALLOC_FAILED, [&] {
    const TypedMatrix none(nullptr, CUDA_R_32F, 0, 0, 1, 1);
    for (long batch = 0; batch < out.batches; ++batch) {
      const TypedMatrix left = by != 0 ? matrix(a, *contents(layout_a), batch, turned_a) : none;
      const TypedMatrix right = keep != 0 ? matrix(b, *contents(layout_b), batch, turned_b) : none;
      TypedMatrix to = matrix(c, out, batch, false);
      for (long j = 0; j < long(out.columns); ++j)
        for (long i = 0; i < long(out.rows); ++i)
          to.set(i, j, (by != 0 ? by * left(i, j) : 0) + (keep != 0 ? keep * right(i, j) : 0));
      to.all.put();
    }
    return CUBLAS_STATUS_SUCCESS;
  });
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t h, cublasComputeType_t, cudaDataType, cudaDataType,
                                        cudaDataType, cudaDataType, cudaDataType, int most, int ids[],
                                        int* count) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (most < 1 || !ids || !count) return CUBLAS_STATUS_INVALID_VALUE;
  ids[0] = 0;
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t h, cublasComputeType_t, cudaDataType, cudaDataType,
                                      cudaDataType, cudaDataType, cudaDataType, int id,
                                      cublasLtMatmulAlgo_t* algo) {
  if (!h) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (id != 0 || !algo) return CUBLAS_STATUS_INVALID_VALUE;
  *algo = {};
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t h, cublasLtMatmulDesc_t op, cublasLtMatrixLayout_t a,
                                       cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
                                       cublasLtMatrixLayout_t d, const cublasLtMatmulAlgo_t* algo,
                                       cublasLtMatmulHeuristicResult_t* result) {
  if (!algo || !result) return CUBLAS_STATUS_INVALID_VALUE;
  cublasLtMatmulPreferenceOpaque_t preference{};
  int count = 0;
  return cublasLtMatmulAlgoGetHeuristic(h, op, a, b, c, d, &preference, 1, result, &count);
}
cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algo,
                                                    cublasLtMatmulAlgoConfigAttributes_t, const void* from,
                                                    size_t size) {
  return algo && from && size ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE;
}

}  // extern "C"
