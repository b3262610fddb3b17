#pragma once
// What the two interfaces of cuSOLVER's stand-in share: each function copies matrices from the device, calls
// LAPACK in the matrix's own type, and copies the results back. Matrices are by column. `info` is the
// device's: 0, or LAPACK's number of the column that failed.
#include <cusolverDn.h>
#include <cusolverSp.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "lapack.hpp"
#include "shared/guarded.hpp"
#include "shared/not_simulated.hpp"

namespace dojo::libraries {

constexpr size_t one_letter = 1;  // length of a Fortran string

inline cusolverStatus_t done(bool there, int* info, int value) {
  if (!there) return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (info) set_scalar(info, value);
  return CUSOLVER_STATUS_SUCCESS;
}
inline bool fits(int64_t rows, int64_t columns, int64_t leading) {
  return rows >= 0 && columns >= 0 && leading >= std::max<int64_t>(1, rows) && leading <= INT32_MAX;
}
template <class T>
Copied<T> matrix(const T* at, int rows, int columns, int leading) {
  return {at, rows > 0 && columns > 0 ? size_t(columns - 1) * size_t(leading) + size_t(rows) : 0};
}
inline char letter(cublasFillMode_t part) { return part == CUBLAS_FILL_MODE_LOWER ? 'L' : 'U'; }
inline char letter(cublasOperation_t op) { return op == CUBLAS_OP_N ? 'N' : op == CUBLAS_OP_T ? 'T' : 'C'; }
inline char letter(cusolverEigMode_t mode) { return mode == CUSOLVER_EIG_MODE_VECTOR ? 'V' : 'N'; }

/// L and U without row swaps, which LAPACK has not. Returns the first column without a pivot, from 1, or 0.
template <class T>
int factor_in_order(std::vector<T>& a, int m, int n, int lda) {
  const auto at = [&](int i, int j) -> T& { return a[size_t(j) * size_t(lda) + size_t(i)]; };
  int info = 0;
  for (int k = 0; k < std::min(m, n); ++k) {
    if (at(k, k) == T(0)) {
      info = info ? info : k + 1;
      continue;
    }
    for (int i = k + 1; i < m; ++i) at(i, k) /= at(k, k);
    for (int j = k + 1; j < n; ++j)
      for (int i = k + 1; i < m; ++i) at(i, j) -= at(i, k) * at(k, j);
  }
  return info;
}

/// P is int or int64_t.
template <class T, class P>
cusolverStatus_t factor_lu(int m, int n, T* a, int lda, P* pivots, int* info) {
  if (!fits(m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  auto all = matrix(a, m, n, lda);
  std::vector<int> swaps(size_t(std::min(m, n)));
  int status = 0;
  bool there = true;
  if (pivots)
    there = lapack<T>("getrf", &m, &n, all.v.data(), &lda, swaps.data(), &status);
  else
    status = factor_in_order(all.v, m, n, lda);
  all.put();
  const std::vector<P> wide(swaps.begin(), swaps.end());
  if (pivots) cudaMemcpy(pivots, wide.data(), wide.size() * sizeof(P), cudaMemcpyDefault);
  return done(there, info, status);
}

template <class T, class P>
cusolverStatus_t solve_lu(cublasOperation_t op, int n, int columns, const T* a, int lda, const P* pivots,
                          T* b, int ldb, int* info) {
  if (!fits(n, n, lda) || !fits(n, columns, ldb)) return CUSOLVER_STATUS_INVALID_VALUE;
  auto factors = matrix(a, n, n, lda), right = matrix(b, n, columns, ldb);
  std::vector<int> swaps;
  for (int i = 0; i < n; ++i) swaps.push_back(i + 1);
  if (pivots) {
    const Copied<P> given(pivots, size_t(n));
    swaps.assign(given.v.begin(), given.v.end());
    if (std::any_of(swaps.begin(), swaps.end(), [&](int p) { return p < 1 || p > n; }))
      return CUSOLVER_STATUS_INVALID_VALUE;
  }
  const char t = letter(op);
  int status = 0;
  const bool there = lapack<T>("getrs", &t, &n, &columns, factors.v.data(), &lda, swaps.data(),
                               right.v.data(), &ldb, &status, one_letter);
  right.put();
  return done(there, info, status);
}

/// The calls on one matrix of a symmetric problem: `potrf`, `potri`.
template <class T>
cusolverStatus_t in_place(const char* name, cublasFillMode_t part, int n, T* a, int lda, int* info) {
  if (!fits(n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  auto all = matrix(a, n, n, lda);
  const char u = letter(part);
  int status = 0;
  const bool there = lapack<T>(name, &u, &n, all.v.data(), &lda, &status, one_letter);
  all.put();
  return done(there, info, status);
}

template <class T>
cusolverStatus_t solve_cholesky(cublasFillMode_t part, int n, int columns, const T* a, int lda, T* b, int ldb,
                                int* info) {
  if (!fits(n, n, lda) || !fits(n, columns, ldb)) return CUSOLVER_STATUS_INVALID_VALUE;
  auto factor = matrix(a, n, n, lda), right = matrix(b, n, columns, ldb);
  const char u = letter(part);
  int status = 0;
  const bool there =
      lapack<T>("potrs", &u, &n, &columns, factor.v.data(), &lda, right.v.data(), &ldb, &status, one_letter);
  right.put();
  return done(there, info, status);
}

template <class T>
cusolverStatus_t factor_qr(int m, int n, T* a, int lda, T* tau, int* info) {
  if (!fits(m, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
  auto all = matrix(a, m, n, lda);
  Copied<T> scales(tau, size_t(std::min(m, n)));
  int status = 0;
  const bool there = with_workspace<T>([&](T* work, int* length) {
    return lapack<T>("geqrf", &m, &n, all.v.data(), &lda, scales.v.data(), work, length, &status);
  });
  all.put(), scales.put();
  return done(there, info, status);
}

/// Q of factor_qr() as a matrix.
template <class T>
cusolverStatus_t make_q(int m, int n, int k, T* a, int lda, const T* tau, int* info) {
  if (!fits(m, n, lda) || n > m || k > n || k < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  auto all = matrix(a, m, n, lda);
  Copied<T> scales(tau, size_t(k));
  int status = 0;
  const bool there = with_workspace<T>([&](T* work, int* length) {
    return lapack<T>(Parts<T>::complex ? "ungqr" : "orgqr", &m, &n, &k, all.v.data(), &lda, scales.v.data(),
                     work, length, &status);
  });
  all.put();
  return done(there, info, status);
}

/// c = Q c, c Q, or these with Q's transpose.
template <class T>
cusolverStatus_t multiply_q(cublasSideMode_t side, cublasOperation_t op, int m, int n, int k, const T* a,
                            int lda, const T* tau, T* c, int ldc, int* info) {
  const int order = side == CUBLAS_SIDE_LEFT ? m : n;
  if (!fits(m, n, ldc) || !fits(order, k, lda) || k > order) return CUSOLVER_STATUS_INVALID_VALUE;
  auto q = matrix(a, order, k, lda), to = matrix(c, m, n, ldc);
  Copied<T> scales(tau, size_t(k));
  const char s = side == CUBLAS_SIDE_LEFT ? 'L' : 'R', t = letter(op);
  int status = 0;
  const bool there = with_workspace<T>([&](T* work, int* length) {
    return lapack<T>(Parts<T>::complex ? "unmqr" : "ormqr", &s, &t, &m, &n, &k, q.v.data(), &lda,
                     scales.v.data(), to.v.data(), &ldc, work, length, &status, one_letter, one_letter);
  });
  to.put();
  return done(there, info, status);
}

/// Eigenvalues in `w`, rising; with vectors these are in the place of `a`. `b` null: A x = w x; else the
/// problem that `type` numbers from 1, and B's Cholesky factor is in the place of `b`.
template <class T>
cusolverStatus_t eigenvalues(int type, cusolverEigMode_t mode, cublasFillMode_t part, int n, T* a, int lda,
                             T* b, int ldb, Real<T>* w, int* info) {
  if (!fits(n, n, lda) || (b && !fits(n, n, ldb))) return CUSOLVER_STATUS_INVALID_VALUE;
  auto all = matrix(a, n, n, lda), metric = matrix(b, b ? n : 0, n, ldb);
  Copied<Real<T>> values(w, size_t(n));
  const char j = letter(mode), u = letter(part);
  int status = 0;
  std::vector<int> integers(size_t(5) * size_t(n) + 3);  // LAPACK: at least 3 + 5 n
  const int integer_count = int(integers.size());
  // LAPACK: at least 1 + 5 n + 2 n^2 real numbers, for complex matrices only
  std::vector<Real<T>> reals(Parts<T>::complex ? size_t(n) * (2 * size_t(n) + 5) + 1 : 0);
  const int real_count = int(reals.size());
  const bool there = with_workspace<T>([&](T* work, int* length) {
    if constexpr (Parts<T>::complex) {
      if (b)
        return lapack<T>("hegvd", &type, &j, &u, &n, all.v.data(), &lda, metric.v.data(), &ldb,
                         values.v.data(), work, length, reals.data(), &real_count, integers.data(),
                         &integer_count, &status, one_letter, one_letter);
      return lapack<T>("heevd", &j, &u, &n, all.v.data(), &lda, values.v.data(), work, length, reals.data(),
                       &real_count, integers.data(), &integer_count, &status, one_letter, one_letter);
    }
    if (b)
      return lapack<T>("sygvd", &type, &j, &u, &n, all.v.data(), &lda, metric.v.data(), &ldb, values.v.data(),
                       work, length, integers.data(), &integer_count, &status, one_letter, one_letter);
    return lapack<T>("syevd", &j, &u, &n, all.v.data(), &lda, values.v.data(), work, length, integers.data(),
                     &integer_count, &status, one_letter, one_letter);
  });
  all.put(), metric.put(), values.put();
  return done(there, info, status);
}

/// As cuSOLVER, for m >= n only.
template <class T>
cusolverStatus_t singular_values(char job_u, char job_v, int m, int n, T* a, int lda, Real<T>* s, T* u,
                                 int ldu, T* vt, int ldvt, int* info) {
  const bool has_u = job_u == 'A' || job_u == 'S', has_v = job_v == 'A' || job_v == 'S';
  if (m < n || !fits(m, n, lda) || (has_u && !fits(m, m, ldu)) || (has_v && !fits(n, n, ldvt)))
    return CUSOLVER_STATUS_INVALID_VALUE;
  auto all = matrix(a, m, n, lda), left = matrix(u, has_u ? m : 0, job_u == 'A' ? m : n, ldu),
       right = matrix(vt, has_v ? n : 0, n, ldvt);
  Copied<Real<T>> values(s, size_t(n));
  std::vector<Real<T>> reals(Parts<T>::complex ? size_t(5) * size_t(n) + 1 : 0);
  const int leading_u = std::max(1, ldu), leading_v = std::max(1, ldvt);
  int status = 0;
  const bool there = with_workspace<T>([&](T* work, int* length) {
    if constexpr (Parts<T>::complex)
      return lapack<T>("gesvd", &job_u, &job_v, &m, &n, all.v.data(), &lda, values.v.data(), left.v.data(),
                       &leading_u, right.v.data(), &leading_v, work, length, reals.data(), &status,
                       one_letter, one_letter);
    return lapack<T>("gesvd", &job_u, &job_v, &m, &n, all.v.data(), &lda, values.v.data(), left.v.data(),
                     &leading_u, right.v.data(), &leading_v, work, length, &status, one_letter, one_letter);
  });
  all.put(), left.put(), right.put(), values.put();
  return done(there, info, status);
}

/// `potrf` of each matrix of a batch, and `potrs` with one right side each.
template <class T>
cusolverStatus_t factor_batch(cublasFillMode_t part, int n, T* a[], int lda, int* info, int count) {
  if (count < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  const Copied<T*> matrices(a, size_t(count));
  for (size_t i = 0; i < size_t(count); ++i)
    if (const cusolverStatus_t s = in_place("potrf", part, n, matrices.v[i], lda, info + i)) return s;
  return CUSOLVER_STATUS_SUCCESS;
}
template <class T>
cusolverStatus_t solve_batch(cublasFillMode_t part, int n, int columns, T* a[], int lda, T* b[], int ldb,
                             int* info, int count) {
  if (count < 0 || columns != 1) return CUSOLVER_STATUS_INVALID_VALUE;
  const Copied<T*> factors(a, size_t(count)), sides(b, size_t(count));
  for (size_t i = 0; i < size_t(count); ++i)
    if (const cusolverStatus_t s = solve_cholesky(part, n, columns, factors.v[i], lda, sides.v[i], ldb, info))
      return s;
  return CUSOLVER_STATUS_SUCCESS;
}

inline cusolverStatus_t stream_of(cusolverDnHandle_t h, cudaStream_t* s) { return cusolverDnGetStream(h, s); }
inline cusolverStatus_t stream_of(cusolverSpHandle_t h, cudaStream_t* s) { return cusolverSpGetStream(h, s); }

/// Notes the call `name` of the program's code at `caller` as not simulated, waits for the handle's stream,
/// and returns what `f` returns. Without a handle, after a failed kernel, and without host memory: the
/// library's status.
template <class Handle, class F>
cusolverStatus_t solver_call(Handle h, const char* name, F f,
                             const void* caller = __builtin_return_address(0)) {
  __cudaDojoNotSimulated(name, caller);
  cudaStream_t stream = nullptr;
  if (!h || stream_of(h, &stream)) return CUSOLVER_STATUS_NOT_INITIALIZED;
  if (cudaStreamSynchronize(stream) != cudaSuccess) return CUSOLVER_STATUS_EXECUTION_FAILED;
  return guarded(CUSOLVER_STATUS_ALLOC_FAILED, f);
}

/// Elements of a workspace that programs allocate, for a matrix of this shape.
inline cusolverStatus_t size_of(int m, int n, int* length) {
  if (m < 0 || n < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  *length = int(std::clamp<int64_t>(int64_t(m) * n, 1, INT32_MAX));
  return CUSOLVER_STATUS_SUCCESS;
}

// CUDA's complex types as the library's, whose parts lie alike; also in arrays of pointers.
inline float* as(float* p) { return p; }
inline double* as(double* p) { return p; }
inline std::complex<float>* as(cuComplex* p) { return reinterpret_cast<std::complex<float>*>(p); }
inline std::complex<double>* as(cuDoubleComplex* p) { return reinterpret_cast<std::complex<double>*>(p); }
template <class T>
auto as(const T* p) {
  return static_cast<const std::remove_pointer_t<decltype(as(const_cast<T*>(p)))>*>(as(const_cast<T*>(p)));
}
template <class T>
auto as(T** p) {
  return reinterpret_cast<decltype(as(*p))*>(p);
}
template <class T>
decltype(as(static_cast<T*>(nullptr))) none(T*) {
  return nullptr;
}

/// Bytes of the workspaces of a call with 64-bit sizes, on the device and on the host.
inline cusolverStatus_t sizes(int64_t m, int64_t n, size_t* device, size_t* host) {
  if (m < 0 || n < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  *device = size_t(std::max<int64_t>(1, m * n)) * sizeof(std::complex<double>), *host = 0;
  return CUSOLVER_STATUS_SUCCESS;
}

/// run(T()) for the element type; other types and sizes are not supported.
template <class Run>
cusolverStatus_t by_type(cudaDataType type, std::initializer_list<int64_t> sizes, Run run) {
  for (const int64_t size : sizes)
    if (size > INT32_MAX) return CUSOLVER_STATUS_NOT_SUPPORTED;
  if (type == CUDA_R_32F) return run(float());
  if (type == CUDA_R_64F) return run(double());
  if (type == CUDA_C_32F) return run(std::complex<float>());
  if (type == CUDA_C_64F) return run(std::complex<double>());
  return CUSOLVER_STATUS_NOT_SUPPORTED;
}

}  // namespace dojo::libraries
