// cuSOLVER's calls that a GPU computes by Jacobi rotations or on batches (syevj, gesvdj, gesvdaStridedBatched
// ...). LAPACK's ordinary methods stand in for them: the results are rounded as theirs are, values are always
// sorted, and tolerances and numbers of sweeps are kept and not used. The residual is 0 and the number of
// sweeps 1.
#include <cmath>

#include "solver.hpp"

using namespace dojo::libraries;

/// Both kinds of parameters: nothing here depends on them.
struct syevjInfo {};
struct gesvdjInfo {};

namespace {
constexpr cusolverStatus_t good = CUSOLVER_STATUS_SUCCESS;

/// V of each matrix is written as columns, not as V's conjugate transpose, which LAPACK has. U has `columns`
/// of its own, and V, too. `lost` is the Frobenius norm of what the columns left out hold.
template <class T>
cusolverStatus_t decompose(cusolverEigMode_t mode, int columns, int m, int n, const T* a, int lda, Real<T>* s,
                           T* u, int ldu, T* v, int ldv, int* info, double* lost = nullptr) {
  const int least = std::min(m, n);
  const bool vectors = mode == CUSOLVER_EIG_MODE_VECTOR;
  if (!fits(m, n, lda) || (vectors && (!fits(m, m, ldu) || !fits(n, n, ldv))))
    return CUSOLVER_STATUS_INVALID_VALUE;
  auto all = matrix(a, m, n, lda);
  std::vector<Real<T>> values(size_t(std::max(1, least)));
  std::vector<Real<T>> reals(Parts<T>::complex ? size_t(5) * size_t(least) + 1 : 0);
  std::vector<T> left(vectors ? size_t(m) * size_t(m) : 1), right(vectors ? size_t(n) * size_t(n) : 1);
  const char job = vectors ? 'A' : 'N';
  const int ld_left = std::max(1, m), ld_right = std::max(1, n);
  int status = 0;
  const bool there =
      least == 0 || with_workspace<T>([&](T* work, int* length) {
        if constexpr (Parts<T>::complex)
          return lapack<T>("gesvd", &job, &job, &m, &n, all.v.data(), &lda, values.data(), left.data(),
                           &ld_left, right.data(), &ld_right, work, length, reals.data(), &status, one_letter,
                           one_letter);
        return lapack<T>("gesvd", &job, &job, &m, &n, all.v.data(), &lda, values.data(), left.data(),
                         &ld_left, right.data(), &ld_right, work, length, &status, one_letter, one_letter);
      });
  Copied<Real<T>> singular(s, size_t(std::min(columns, least)));
  std::copy_n(values.begin(), singular.v.size(), singular.v.begin());
  singular.put();
  double rest = 0;
  for (size_t k = singular.v.size(); k < size_t(least); ++k) rest += double(values[k]) * double(values[k]);
  if (lost) *lost = std::sqrt(rest);
  if (vectors) {
    auto to_u = matrix(u, m, std::min(columns, m), ldu), to_v = matrix(v, n, std::min(columns, n), ldv);
    for (int j = 0; j < std::min(columns, m); ++j)
      std::copy_n(&left[size_t(j) * size_t(m)], m, &to_u.v[size_t(j) * size_t(ldu)]);
    for (int j = 0; j < std::min(columns, n); ++j)
      for (int i = 0; i < n; ++i) {
        T element = right[size_t(i) * size_t(n) + size_t(j)];
        if constexpr (Parts<T>::complex) element = std::conj(element);
        to_v.v[size_t(j) * size_t(ldv) + size_t(i)] = element;
      }
    to_u.put(), to_v.put();
  }
  return done(there, info, status);
}

/// Calls one(i) for each matrix of a batch until one fails.
template <class One>
cusolverStatus_t each(int64_t count, One one) {
  if (count < 0) return CUSOLVER_STATUS_INVALID_VALUE;
  for (int64_t i = 0; i < count; ++i)
    if (const cusolverStatus_t s = one(i)) return s;
  return good;
}

template <class T>
T* later(T* p, int64_t elements) {
  return p ? p + elements : nullptr;
}
}  // namespace

extern "C" {

#define PARAMETERS(KIND, kind)                                                                          \
  cusolverStatus_t cusolverDnCreate##KIND##Info(kind##Info_t* info) {                                   \
    *info = new kind##Info;                                                                             \
    return good;                                                                                        \
  }                                                                                                     \
  cusolverStatus_t cusolverDnDestroy##KIND##Info(kind##Info_t info) {                                   \
    delete info;                                                                                        \
    return good;                                                                                        \
  }                                                                                                     \
  cusolverStatus_t cusolverDnX##kind##SetTolerance(kind##Info_t, double) { return good; }               \
  cusolverStatus_t cusolverDnX##kind##SetMaxSweeps(kind##Info_t, int) { return good; }                  \
  cusolverStatus_t cusolverDnX##kind##SetSortEig(kind##Info_t, int) { return good; }                    \
  cusolverStatus_t cusolverDnX##kind##GetResidual(cusolverDnHandle_t, kind##Info_t, double* residual) { \
    *residual = 0;                                                                                      \
    return good;                                                                                        \
  }                                                                                                     \
  cusolverStatus_t cusolverDnX##kind##GetSweeps(cusolverDnHandle_t, kind##Info_t, int* sweeps) {        \
    *sweeps = 1;                                                                                        \
    return good;                                                                                        \
  }
PARAMETERS(Syevj, syevj)
PARAMETERS(Gesvdj, gesvdj)

#define JACOBI_OF(S, T, R, SYEVJ, SYGVJ)                                                                     \
  cusolverStatus_t cusolverDn##S##SYEVJ##_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,                  \
                                                     cublasFillMode_t, int n, const T*, int, const R*,       \
                                                     int* length, syevjInfo_t) {                             \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYEVJ(cusolverDnHandle_t h, cusolverEigMode_t mode, cublasFillMode_t part, \
                                        int n, T* a, int lda, R* w, T*, int, int* info, syevjInfo_t) {       \
    return solver_call(h, "cusolverDn" #S #SYEVJ,                                                            \
                       [&] { return eigenvalues(0, mode, part, n, as(a), lda, none(a), 1, w, info); });      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYEVJ##Batched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,           \
                                                            cublasFillMode_t, int n, const T*, int,          \
                                                            const R*, int* length, syevjInfo_t, int) {       \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYEVJ##Batched(cusolverDnHandle_t h, cusolverEigMode_t mode,               \
                                                 cublasFillMode_t part, int n, T* a, int lda, R* w, T*, int, \
                                                 int* info, syevjInfo_t, int count) {                        \
    return solver_call(h, "cusolverDn" #S #SYEVJ "Batched", [&] {                                            \
      return each(count, [&](int64_t i) {                                                                    \
        return eigenvalues(0, mode, part, n, as(a) + i * lda * n, lda, none(a), 1, w + i * n, info + i);     \
      });                                                                                                    \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYGVJ##_bufferSize(                                                        \
      cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cublasFillMode_t, int n, const T*, int,      \
      const T*, int, const R*, int* length, syevjInfo_t) {                                                   \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYGVJ(cusolverDnHandle_t h, cusolverEigType_t type,                        \
                                        cusolverEigMode_t mode, cublasFillMode_t part, int n, T* a, int lda, \
                                        T* b, int ldb, R* w, T*, int, int* info, syevjInfo_t) {              \
    return solver_call(h, "cusolverDn" #S #SYGVJ, [&] {                                                      \
      return eigenvalues(int(type), mode, part, n, as(a), lda, as(b), ldb, w, info);                         \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvdj_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int, int m,       \
                                                    int n, const T*, int, const R*, const T*, int, const T*, \
                                                    int, int* length, gesvdjInfo_t) {                        \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvdj(cusolverDnHandle_t h, cusolverEigMode_t mode, int econ, int m,      \
                                         int n, T* a, int lda, R* s, T* u, int ldu, T* v, int ldv, T*, int,  \
                                         int* info, gesvdjInfo_t) {                                          \
    return solver_call(h, "cusolverDn" #S "gesvdj", [&] {                                                    \
      return decompose(mode, econ ? std::min(m, n) : std::max(m, n), m, n, as(a), lda, s, as(u), ldu, as(v), \
                       ldv, info);                                                                           \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvdjBatched_bufferSize(cusolverDnHandle_t, cusolverEigMode_t, int m,     \
                                                           int n, const T*, int, const R*, const T*, int,    \
                                                           const T*, int, int* length, gesvdjInfo_t, int) {  \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvdjBatched(cusolverDnHandle_t h, cusolverEigMode_t mode, int m, int n,  \
                                                T* a, int lda, R* s, T* u, int ldu, T* v, int ldv, T*, int,  \
                                                int* info, gesvdjInfo_t, int count) {                        \
    return solver_call(h, "cusolverDn" #S "gesvdjBatched", [&] {                                             \
      return each(count, [&](int64_t i) {                                                                    \
        return decompose(mode, std::max(m, n), m, n, as(a) + i * lda * n, lda, s + i * std::min(m, n),       \
                         later(as(u), i * ldu * m), ldu, later(as(v), i * ldv * n), ldv, info + i);          \
      });                                                                                                    \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvdaStridedBatched_bufferSize(                                           \
      cusolverDnHandle_t, cusolverEigMode_t, int, int m, int n, const T*, int, long long, const R*,          \
      long long, const T*, int, long long, const T*, int, long long, int* length, int) {                     \
    return size_of(m, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##gesvdaStridedBatched(                                                      \
      cusolverDnHandle_t h, cusolverEigMode_t mode, int rank, int m, int n, const T* a, int lda,             \
      long long step_a, R* s, long long step_s, T* u, int ldu, long long step_u, T* v, int ldv,              \
      long long step_v, T*, int, int* info, double* lost, int count) {                                       \
    return solver_call(h, "cusolverDn" #S "gesvdaStridedBatched", [&] {                                      \
      if (m < n || rank < 0 || rank > n) return CUSOLVER_STATUS_INVALID_VALUE;                               \
      return each(count, [&](int64_t i) {                                                                    \
        return decompose(mode, rank, m, n, as(a) + i * step_a, lda, s + i * step_s,                          \
                         later(as(u), i * step_u), ldu, later(as(v), i * step_v), ldv, info + i,             \
                         lost ? lost + i : nullptr);                                                         \
      });                                                                                                    \
    });                                                                                                      \
  }
JACOBI_OF(S, float, float, syevj, sygvj)
JACOBI_OF(D, double, double, syevj, sygvj)
JACOBI_OF(C, cuComplex, float, heevj, hegvj)
JACOBI_OF(Z, cuDoubleComplex, double, heevj, hegvj)

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                                   cublasFillMode_t, int64_t n, cudaDataType, const void*,
                                                   int64_t, cudaDataType, const void*, cudaDataType,
                                                   size_t* device, size_t* host, int64_t) {
  return sizes(n, n, device, host);
}
cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                        cublasFillMode_t part, int64_t n, cudaDataType type, void* a,
                                        int64_t lda, cudaDataType, void* w, cudaDataType, void*, size_t,
                                        void*, size_t, int* info, int64_t count) {
  return solver_call(h, "cusolverDnXsyevBatched", [&] {
    return by_type(type, {n, lda}, [&](auto t) {
      using T = decltype(t);
      return each(count, [&](int64_t i) {
        return eigenvalues<T>(0, mode, part, int(n), static_cast<T*>(a) + i * lda * n, int(lda), nullptr, 1,
                              static_cast<Real<T>*>(w) + i * n, info + i);
      });
    });
  });
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t, int,
                                              int64_t m, int64_t n, cudaDataType, const void*, int64_t,
                                              cudaDataType, const void*, cudaDataType, const void*, int64_t,
                                              cudaDataType, const void*, int64_t, cudaDataType,
                                              size_t* device, size_t* host) {
  return sizes(m, n, device, host);
}
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode, int econ,
                                   int64_t m, int64_t n, cudaDataType type, void* a, int64_t lda,
                                   cudaDataType, void* s, cudaDataType, void* u, int64_t ldu, cudaDataType,
                                   void* v, int64_t ldv, cudaDataType, void*, size_t, void*, size_t,
                                   int* info, double* error) {
  return solver_call(h, "cusolverDnXgesvdp", [&] {
    if (error) *error = 0;  // the singular values are not perturbed, as on a GPU
    return by_type(type, {m, n, lda, ldu, ldv}, [&](auto t) {
      using T = decltype(t);
      return decompose(mode, int(econ ? std::min(m, n) : std::max(m, n)), int(m), int(n), static_cast<T*>(a),
                       int(lda), static_cast<Real<T>*>(s), static_cast<T*>(u), int(ldu), static_cast<T*>(v),
                       int(ldv), info);
    });
  });
}

cusolverStatus_t cusolverDnXgesvdr_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, signed char,
                                              signed char, int64_t m, int64_t n, int64_t, int64_t, int64_t,
                                              cudaDataType, const void*, int64_t, cudaDataType, const void*,
                                              cudaDataType, const void*, int64_t, cudaDataType, const void*,
                                              int64_t, cudaDataType, size_t* device, size_t* host) {
  return sizes(m, n, device, host);
}
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t h, cusolverDnParams_t, signed char job_u,
                                   signed char job_v, int64_t m, int64_t n, int64_t k, int64_t, int64_t,
                                   cudaDataType type, void* a, int64_t lda, cudaDataType, void* s,
                                   cudaDataType, void* u, int64_t ldu, cudaDataType, void* v, int64_t ldv,
                                   cudaDataType, void*, size_t, void*, size_t, int* info) {
  return solver_call(h, "cusolverDnXgesvdr", [&] {
    if (k < 0 || k > std::min(m, n)) return CUSOLVER_STATUS_INVALID_VALUE;
    if ((job_u == 'S') != (job_v == 'S')) return CUSOLVER_STATUS_NOT_SUPPORTED;
    return by_type(type, {m, n, lda, ldu, ldv}, [&](auto t) {
      using T = decltype(t);
      return decompose(job_u == 'S' ? CUSOLVER_EIG_MODE_VECTOR : CUSOLVER_EIG_MODE_NOVECTOR, int(k), int(m),
                       int(n), static_cast<T*>(a), int(lda), static_cast<Real<T>*>(s), static_cast<T*>(u),
                       int(ldu), static_cast<T*>(v), int(ldv), info);
    });
  });
}

}  // extern "C"
