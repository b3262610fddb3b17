#pragma once
// The frame of each call of the cuBLAS stand-in.
#include <cublas_v2.h>

#include "shared/guarded.hpp"
#include "shared/not_simulated.hpp"

namespace dojo::libraries {

/// Notes the call `name` of the program's code at `caller` as not simulated, waits for the handle's stream,
/// and returns what `f` returns. Without a handle, after a failed kernel, and without host memory: the
/// library's status.
template <class F>
cublasStatus_t blas_call(cublasHandle_t h, const char* name, F f,
                         const void* caller = __builtin_return_address(0)) {
  __cudaDojoNotSimulated(name, caller);
  cudaStream_t stream = nullptr;
  if (!h || cublasGetStream_v2(h, &stream)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUBLAS_STATUS_EXECUTION_FAILED;
  return guarded(CUBLAS_STATUS_ALLOC_FAILED, f);
}

}  // namespace dojo::libraries
