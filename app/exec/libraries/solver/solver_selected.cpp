// cuSOLVER's calls for some of a matrix's eigenvalues (syevdx, sygvdx), for eigenvalues of a general matrix
// (Xgeev), and for the inverse of a triangle (Xtrtri).
#include <cmath>

#include "solver.hpp"

using namespace dojo::libraries;

namespace {
/// Which eigenvalues a call wants: all, those in (low, high], or those with the numbers first to last,
/// from 1.
struct Range {
  cusolverEigRange_t kind;
  double low, high;
  int64_t first, last;
  bool has(int64_t number, double value) const {
    return kind == CUSOLVER_EIG_RANGE_ALL || (kind == CUSOLVER_EIG_RANGE_V && value > low && value <= high) ||
           (kind == CUSOLVER_EIG_RANGE_I && number >= first && number <= last);
  }
  bool valid(int64_t n) const {
    return kind == CUSOLVER_EIG_RANGE_V   ? low < high
           : kind == CUSOLVER_EIG_RANGE_I ? n == 0 || (first >= 1 && first <= last && last <= n)
                                          : true;
  }
};

/// As eigenvalues() of solver.hpp; those in the range move to the front, with their vectors, and `found` is
/// their number.
template <class T, class N>
cusolverStatus_t selected(int type, cusolverEigMode_t mode, cublasFillMode_t part, int n, T* a, int lda, T* b,
                          int ldb, const Range& range, N* found, Real<T>* w, int* info) {
  if (!range.valid(n)) return CUSOLVER_STATUS_INVALID_VALUE;
  if (const cusolverStatus_t s = eigenvalues(type, mode, part, n, a, lda, b, ldb, w, info)) return s;
  Copied<Real<T>> values(w, size_t(n));
  auto vectors = matrix(a, mode == CUSOLVER_EIG_MODE_VECTOR ? n : 0, n, lda);
  N kept = 0;
  for (int i = 0; i < n; ++i) {
    if (!range.has(i + 1, double(values.v[size_t(i)]))) continue;
    values.v[size_t(kept)] = values.v[size_t(i)];
    if (!vectors.v.empty() && kept != i)
      std::copy_n(&vectors.v[size_t(i) * size_t(lda)], n, &vectors.v[size_t(kept) * size_t(lda)]);
    ++kept;
  }
  if (found) *found = kept;
  values.put(), vectors.put();
  return CUSOLVER_STATUS_SUCCESS;
}

/// Eigenvalues of a general matrix, as complex numbers or (of a real one) n real parts and behind them n
/// imaginary ones. Right vectors are columns: of a real matrix in complex numbers, or as LAPACK packs them,
/// where two columns are the real and the imaginary part of a pair.
template <class T>
cusolverStatus_t general(bool vectors, int n, T* a, int lda, void* w, bool complex_w, void* vr, int ldvr,
                         bool complex_vectors, int* info) {
  if (!fits(n, n, lda) || (vectors && !fits(n, n, ldvr))) return CUSOLVER_STATUS_INVALID_VALUE;
  using Complex = std::complex<Real<T>>;
  auto all = matrix(a, n, n, lda);
  std::vector<T> values(size_t(2) * size_t(n) + 1), right(vectors ? size_t(n) * size_t(n) : 1);
  std::vector<Real<T>> reals(Parts<T>::complex ? size_t(2) * size_t(n) + 1 : 0);
  const char none = 'N', job = vectors ? 'V' : 'N';
  const int one = 1, leading = std::max(1, n);
  T unused{};
  int status = 0;
  const bool there = n == 0 || with_workspace<T>([&](T* work, int* length) {
                       if constexpr (Parts<T>::complex)
                         return lapack<T>("geev", &none, &job, &n, all.v.data(), &lda, values.data(), &unused,
                                          &one, right.data(), &leading, work, length, reals.data(), &status,
                                          one_letter, one_letter);
                       else
                         return lapack<T>("geev", &none, &job, &n, all.v.data(), &lda, values.data(),
                                          values.data() + n, &unused, &one, right.data(), &leading, work,
                                          length, &status, one_letter, one_letter);
                     });
  all.put();
  const auto value = [&](int k) {
    if constexpr (Parts<T>::complex)
      return Complex(values[size_t(k)]);
    else
      return Complex(values[size_t(k)], values[size_t(n + k)]);
  };
  const auto element = [&](int i, int j) {
    const auto packed = [&](int column) { return right[size_t(column) * size_t(n) + size_t(i)]; };
    if constexpr (Parts<T>::complex)
      return Complex(packed(j));
    else if (value(j).imag() == 0)
      return Complex(packed(j));
    else if (value(j).imag() > 0)
      return Complex(packed(j), packed(j + 1));
    else
      return Complex(packed(j - 1), -packed(j));
  };
  if (complex_w) {
    Copied<Complex> out(static_cast<Complex*>(w), size_t(n));
    for (int k = 0; k < n; ++k) out.v[size_t(k)] = value(k);
    out.put();
  } else {
    Copied<T> out(static_cast<T*>(w), size_t(n) * 2);
    std::copy_n(values.begin(), out.v.size(), out.v.begin());
    out.put();
  }
  const auto put = [&](auto* to, auto from) {
    auto out = matrix(to, vectors ? n : 0, n, ldvr);
    for (int j = 0; vectors && j < n; ++j)
      for (int i = 0; i < n; ++i) out.v[size_t(j) * size_t(ldvr) + size_t(i)] = from(i, j);
    out.put();
  };
  if (complex_vectors)
    put(static_cast<Complex*>(vr), element);
  else
    put(static_cast<T*>(vr), [&](int i, int j) { return right[size_t(j) * size_t(n) + size_t(i)]; });
  return done(there, info, status);
}

bool is_complex(cudaDataType type) { return type == CUDA_C_32F || type == CUDA_C_64F; }
}  // namespace

extern "C" {

#define SELECTED_OF(S, T, R, SYEVDX, SYGVDX)                                                                 \
  cusolverStatus_t cusolverDn##S##SYEVDX##_bufferSize(cusolverDnHandle_t, cusolverEigMode_t,                 \
                                                      cusolverEigRange_t, cublasFillMode_t, int n, const T*, \
                                                      int, R, R, int, int, int*, const R*, int* length) {    \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYEVDX(                                                                    \
      cusolverDnHandle_t h, cusolverEigMode_t mode, cusolverEigRange_t range, cublasFillMode_t part, int n,  \
      T* a, int lda, R low, R high, int first, int last, int* found, R* w, T*, int, int* info) {             \
    return solver_call(h, "cusolverDn" #S #SYEVDX, [&] {                                                     \
      return selected(0, mode, part, n, as(a), lda, none(a), 1, {range, low, high, first, last}, found, w,   \
                      info);                                                                                 \
    });                                                                                                      \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYGVDX##_bufferSize(                                                       \
      cusolverDnHandle_t, cusolverEigType_t, cusolverEigMode_t, cusolverEigRange_t, cublasFillMode_t, int n, \
      const T*, int, const T*, int, R, R, int, int, int*, const R*, int* length) {                           \
    return size_of(n, n, length);                                                                            \
  }                                                                                                          \
  cusolverStatus_t cusolverDn##S##SYGVDX(                                                                    \
      cusolverDnHandle_t h, cusolverEigType_t type, cusolverEigMode_t mode, cusolverEigRange_t range,        \
      cublasFillMode_t part, int n, T* a, int lda, T* b, int ldb, R low, R high, int first, int last,        \
      int* found, R* w, T*, int, int* info) {                                                                \
    return solver_call(h, "cusolverDn" #S #SYGVDX, [&] {                                                     \
      return selected(int(type), mode, part, n, as(a), lda, as(b), ldb, {range, low, high, first, last},     \
                      found, w, info);                                                                       \
    });                                                                                                      \
  }
SELECTED_OF(S, float, float, syevdx, sygvdx)
SELECTED_OF(D, double, double, syevdx, sygvdx)
SELECTED_OF(C, cuComplex, float, heevdx, hegvdx)
SELECTED_OF(Z, cuDoubleComplex, double, heevdx, hegvdx)

cusolverStatus_t cusolverDnXsyevdx_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                              cusolverEigRange_t, cublasFillMode_t, int64_t n, cudaDataType,
                                              const void*, int64_t, void*, void*, int64_t, int64_t, int64_t*,
                                              cudaDataType, const void*, cudaDataType, size_t* device,
                                              size_t* host) {
  return sizes(n, n, device, host);
}
cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t mode,
                                   cusolverEigRange_t range, cublasFillMode_t part, int64_t n,
                                   cudaDataType type, void* a, int64_t lda, void* low, void* high,
                                   int64_t first, int64_t last, int64_t* found, cudaDataType, void* w,
                                   cudaDataType, void*, size_t, void*, size_t, int* info) {
  return solver_call(h, "cusolverDnXsyevdx", [&] {
    return by_type(type, {n, lda}, [&](auto t) {
      using T = decltype(t);
      const auto bound = [&](void* at) {
        return range == CUSOLVER_EIG_RANGE_V && at ? double(*static_cast<const Real<T>*>(at)) : 0.0;
      };
      return selected<T>(0, mode, part, int(n), static_cast<T*>(a), int(lda), nullptr, 1,
                         {range, bound(low), bound(high), first, last}, found, static_cast<Real<T>*>(w),
                         info);
    });
  });
}

cusolverStatus_t cusolverDnXgeev_bufferSize(cusolverDnHandle_t, cusolverDnParams_t, cusolverEigMode_t,
                                            cusolverEigMode_t, int64_t n, cudaDataType, const void*, int64_t,
                                            cudaDataType, const void*, cudaDataType, const void*, int64_t,
                                            cudaDataType, const void*, int64_t, cudaDataType, size_t* device,
                                            size_t* host) {
  return sizes(n, n, device, host);
}
/// Left vectors are not supported, as in cuSOLVER.
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t h, cusolverDnParams_t, cusolverEigMode_t left,
                                 cusolverEigMode_t right, int64_t n, cudaDataType type, void* a, int64_t lda,
                                 cudaDataType type_w, void* w, cudaDataType, void*, int64_t,
                                 cudaDataType type_vr, void* vr, int64_t ldvr, cudaDataType, void*, size_t,
                                 void*, size_t, int* info) {
  return solver_call(h, "cusolverDnXgeev", [&] {
    if (left == CUSOLVER_EIG_MODE_VECTOR) return CUSOLVER_STATUS_INVALID_VALUE;
    return by_type(type, {n, lda, ldvr}, [&](auto t) {
      return general(right == CUSOLVER_EIG_MODE_VECTOR, int(n), static_cast<decltype(t)*>(a), int(lda), w,
                     is_complex(type_w), vr, int(ldvr), is_complex(type_vr), info);
    });
  });
}

cusolverStatus_t cusolverDnXtrtri_bufferSize(cusolverDnHandle_t, cublasFillMode_t, cublasDiagType_t,
                                             int64_t n, cudaDataType, void*, int64_t, size_t* device,
                                             size_t* host) {
  return sizes(n, n, device, host);
}
cusolverStatus_t cusolverDnXtrtri(cusolverDnHandle_t h, cublasFillMode_t part, cublasDiagType_t diagonal,
                                  int64_t n, cudaDataType type, void* a, int64_t lda, void*, size_t, void*,
                                  size_t, int* info) {
  return solver_call(h, "cusolverDnXtrtri", [&] {
    return by_type(type, {n, lda}, [&](auto t) {
      using T = decltype(t);
      if (!fits(n, n, lda)) return CUSOLVER_STATUS_INVALID_VALUE;
      auto all = matrix(static_cast<T*>(a), int(n), int(n), int(lda));
      const char u = letter(part), d = diagonal == CUBLAS_DIAG_UNIT ? 'U' : 'N';
      const int order = int(n), leading = int(lda);
      int status = 0;
      const bool there =
          lapack<T>("trtri", &u, &d, &order, all.v.data(), &leading, &status, one_letter, one_letter);
      all.put();
      return done(there, info, status);
    });
  });
}

}  // extern "C"
