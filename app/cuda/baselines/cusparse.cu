// cusparseSpMV beside the steps of the sparse lab that multiply a matrix in compressed sparse rows.
#include <cusparse.h>

#include "common.cuh"

namespace baselines {

/// y = A x: row starts, columns, values, x and y are the buffers 0 to 4, and A is square. The default
/// algorithm, without cusparseSpMV_preprocess().
int cusparse_csr(const DojoBaselineCall* c, char* text, int bytes) {
  static cusparseHandle_t handle = nullptr;
  if (!handle)
    if (const int e = cusparseCreate(&handle)) return fail(text, bytes, "cusparseCreate", e);
  const int64_t rows = size_of(*c, "rows"), nonzeros = c->buffer_bytes[1] / 4;
  const float one = 1, zero = 0;
  cusparseSpMatDescr_t a = nullptr;
  cusparseDnVecDescr_t x = nullptr, y = nullptr;
  cusparseSetStream(handle, stream(*c));
  cusparseCreateCsr(&a, rows, rows, nonzeros, c->buffers[0], c->buffers[1], c->buffers[2], CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&x, rows, c->buffers[3], CUDA_R_32F);
  cusparseCreateDnVec(&y, rows, c->buffers[4], CUDA_R_32F);
  size_t need = 0;
  int e = cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y, CUDA_R_32F,
                                  CUSPARSE_SPMV_ALG_DEFAULT, &need);
  void* memory = e ? nullptr : scratch(need + 1);
  if (memory)
    e = cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &zero, y, CUDA_R_32F,
                     CUSPARSE_SPMV_ALG_DEFAULT, memory);
  cusparseDestroySpMat(a), cusparseDestroyDnVec(x), cusparseDestroyDnVec(y);
  if (!memory) return fail(text, bytes, "cuSPARSE's workspace", e);
  return e ? fail(text, bytes, "cusparseSpMV", e) : 0;
}

}  // namespace baselines
