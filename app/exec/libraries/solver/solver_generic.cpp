// cuSOLVER's calls with 64-bit sizes and the type as an argument (cusolverDnXgetrf ...), for real and complex
// matrices whose sizes fit 32 bits.
#include "solver.hpp"

using namespace dojo::libraries;

struct cusolverDnParams {
  int unused = 0;
};

extern "C" {

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  *params = new cusolverDnParams;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  delete params;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t, cusolverDnFunction_t, cusolverAlgMode_t) {
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverDnXgetrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void*, int64_t, cudaDataType, size_t* device,
                                             size_t* host) {
  return sizes(m, n, device, host);
}
cusolverStatus_t cusolverDnXgetrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, int64_t* pivots, cudaDataType,
                                  void*, size_t, void*, size_t, int* info) {
  return solver_call(h, "cusolverDnXgetrf", [&] {
    return by_type(type, {m, n, lda}, [&](auto t) {
      return factor_lu(int(m), int(n), static_cast<decltype(t)*>(a), int(lda), pivots, info);
    });
  });
}
cusolverStatus_t cusolverDnXgetrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasOperation_t op, int64_t n,
                                  int64_t columns, cudaDataType type, const void* a, int64_t lda,
                                  const int64_t* pivots, cudaDataType, void* b, int64_t ldb, int* info) {
  return solver_call(h, "cusolverDnXgetrs", [&] {
    return by_type(type, {n, columns, lda, ldb}, [&](auto t) {
      using T = decltype(t);
      return solve_lu(op, int(n), int(columns), static_cast<const T*>(a), int(lda), pivots,
                      static_cast<T*>(b), int(ldb), info);
    });
  });
}
cusolverStatus_t cusolverDnXpotrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cublasFillMode_t,
                                             int64_t n, cudaDataType, const void*, int64_t, cudaDataType,
                                             size_t* device, size_t* host) {
  return sizes(n, n, device, host);
}
cusolverStatus_t cusolverDnXpotrf(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType, void*, size_t, void*,
                                  size_t, int* info) {
  return solver_call(h, "cusolverDnXpotrf", [&] {
    return by_type(type, {n, lda}, [&](auto t) {
      return in_place("potrf", part, int(n), static_cast<decltype(t)*>(a), int(lda), info);
    });
  });
}
cusolverStatus_t cusolverDnXpotrs(cusolverDnHandle_t h, cusolverDnParams_t, cublasFillMode_t part, int64_t n,
                                  int64_t columns, cudaDataType type, const void* a, int64_t lda,
                                  cudaDataType, void* b, int64_t ldb, int* info) {
  return solver_call(h, "cusolverDnXpotrs", [&] {
    return by_type(type, {n, columns, lda, ldb}, [&](auto t) {
      using T = decltype(t);
      return solve_cholesky(part, int(n), int(columns), static_cast<const T*>(a), int(lda),
                            static_cast<T*>(b), int(ldb), info);
    });
  });
}
cusolverStatus_t cusolverDnXgeqrf_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, int64_t m, int64_t n,
                                             cudaDataType, const void*, int64_t, cudaDataType, const void*,
                                             cudaDataType, size_t* device, size_t* host) {
  return sizes(m, n, device, host);
}
cusolverStatus_t cusolverDnXgeqrf(cusolverDnHandle_t h, cusolverDnParams_t, int64_t m, int64_t n,
                                  cudaDataType type, void* a, int64_t lda, cudaDataType, void* tau,
                                  cudaDataType, void*, size_t, void*, size_t, int* info) {
  return solver_call(h, "cusolverDnXgeqrf", [&] {
    return by_type(type, {m, n, lda}, [&](auto t) {
      using T = decltype(t);
      return factor_qr(int(m), int(n), static_cast<T*>(a), int(lda), static_cast<T*>(tau), info);
    });
  });
}
cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                             cublasFillMode_t, int64_t n, cudaDataType, const void*, int64_t,
                                             cudaDataType, const void*, cudaDataType, size_t* device,
                                             size_t* host) {
  return sizes(n, n, device, host);
}
cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                  cublasFillMode_t part, int64_t n, cudaDataType type, void* a, int64_t lda,
                                  cudaDataType, void* w, cudaDataType, void*, size_t, void*, size_t,
                                  int* info) {
  return solver_call(h, "cusolverDnXsyevd", [&] {
    return by_type(type, {n, lda}, [&](auto t) {
      using T = decltype(t);
      return eigenvalues<T>(0, mode, part, int(n), static_cast<T*>(a), int(lda), nullptr, 1,
                            static_cast<Real<T>*>(w), info);
    });
  });
}
cusolverStatus_t cusolverDnXgesvd_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char, signed char,
                                             int64_t m, int64_t n, cudaDataType, const void*, int64_t,
                                             cudaDataType, const void*, cudaDataType, const void*, int64_t,
                                             cudaDataType, const void*, int64_t, cudaDataType, size_t* device,
                                             size_t* host) {
  return m < n ? CUSOLVER_STATUS_INVALID_VALUE : sizes(m, n, device, host);
}
cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                  signed char job_v, int64_t m, int64_t n, cudaDataType type, void* a,
                                  int64_t lda, cudaDataType, void* s, cudaDataType, void* u, int64_t ldu,
                                  cudaDataType, void* vt, int64_t ldvt, cudaDataType, void*, size_t, void*,
                                  size_t, int* info) {
  return solver_call(h, "cusolverDnXgesvd", [&] {
    return by_type(type, {m, n, lda, ldu, ldvt}, [&](auto t) {
      using T = decltype(t);
      return singular_values(char(job_u), char(job_v), int(m), int(n), static_cast<T*>(a), int(lda),
                             static_cast<Real<T>*>(s), static_cast<T*>(u), int(ldu), static_cast<T*>(vt),
                             int(ldvt), info);
    });
  });
}

}  // extern "C"
