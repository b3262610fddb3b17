#pragma once
// What each call of the cuBLAS stand-in does first, where its file knows no handle of blas.cpp's.
#include <cublas_v2.h>

#include "shared/not_simulated.hpp"

namespace dojo::libraries {

/// Notes the call as not simulated and waits for the handle's stream. False: no handle, or its stream failed.
inline bool begin_blas(cublasHandle_t h, const char* name, const void* return_address) {
  __cudaDojoNotSimulated(name, return_address);
  cudaStream_t stream = nullptr;
  return h && !cublasGetStream_v2(h, &stream) && cudaStreamSynchronize(stream) == cudaSuccess;
}

}  // namespace dojo::libraries

/// Leaves the calling function with a status if `begin_blas` fails.
#define BEGIN_BLAS(h, name)                                                    \
  if (!dojo::libraries::begin_blas(h, name, __builtin_return_address(0))) {    \
    return h ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_NOT_INITIALIZED; \
  }
