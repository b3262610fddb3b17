// libcublas.so.13 of `warpdojo exec`: the calls that programs use most, computed on the host with double
// sums. They have no counters and no modelled time. Matrices are by column; increments are positive or
// negative as in BLAS.
#include <cublas_v2.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "shared/not_simulated.hpp"
#include "shared/product.hpp"

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t mode = CUBLAS_POINTER_MODE_HOST;
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
};

namespace {
using dojo::libraries::Copied;
using dojo::libraries::scalar;
using dojo::libraries::set_scalar;

/// Before each call: waits for the handle's stream and adds the note to the report. False: no handle, or a
/// failed stream.
bool enter(cublasHandle_t h, const char* name, const void* return_address) {
  __cudaDojoNotSimulated(name, return_address);
  return h && cudaStreamSynchronize(h->stream) == cudaSuccess;
}
#define ENTER(h, name)                                                         \
  if (!enter(h, name, __builtin_return_address(0))) {                          \
    return h ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_NOT_INITIALIZED; \
  }

/// A vector with an increment; [i] is its i-th element, whatever the increment's sign.
template <class T>
struct Vector {
  Copied<T> all;
  long n, step;
  Vector(const T* at, long count, long increment)
      : all(at, count > 0 ? size_t(1 + (count - 1) * std::labs(increment)) : 0), n(count), step(increment) {}
  T& operator[](long i) { return all.v[size_t(step > 0 ? i * step : (i - n + 1) * step)]; }
};

template <class T>
cublasStatus_t axpy(int n, const T* alpha, const T* x, int incx, T* y, int incy) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Vector<T> from(x, n, incx), to(y, n, incy);
  const T a = scalar(alpha);
  for (long i = 0; i < n; ++i) to[i] = T(std::fma(double(a), double(from[i]), double(to[i])));
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t scal(int n, const T* alpha, T* x, int incx) {
  if (n <= 0 || incx <= 0) return CUBLAS_STATUS_SUCCESS;
  Vector<T> v(x, n, incx);
  const T a = scalar(alpha);
  for (long i = 0; i < n; ++i) v[i] *= a;
  v.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
/// y = x; `swap`: x = y as well.
template <class T>
cublasStatus_t copy(int n, const T* x, int incx, T* y, int incy, bool swap) {
  if (n <= 0) return CUBLAS_STATUS_SUCCESS;
  Vector<T> a(x, n, incx), b(y, n, incy);
  for (long i = 0; i < n; ++i) {
    const T old = b[i];
    b[i] = a[i];
    a[i] = old;
  }
  b.all.put();
  if (swap) a.all.put();
  return CUBLAS_STATUS_SUCCESS;
}
template <class T>
cublasStatus_t dot(int n, const T* x, int incx, const T* y, int incy, T* result) {
  double sum = 0;
  if (n > 0) {
    Vector<T> a(x, n, incx), b(y, n, incy);
    for (long i = 0; i < n; ++i) sum += double(a[i]) * double(b[i]);
  }
  set_scalar(result, T(sum));
  return CUBLAS_STATUS_SUCCESS;
}
/// `squares`: the Euclidean norm; else the sum of magnitudes.
template <class T>
cublasStatus_t norm(int n, const T* x, int incx, T* result, bool squares) {
  double sum = 0;
  if (n > 0 && incx > 0) {
    Vector<T> a(x, n, incx);
    for (long i = 0; i < n; ++i) sum += squares ? double(a[i]) * double(a[i]) : std::fabs(double(a[i]));
  }
  set_scalar(result, T(squares ? std::sqrt(sum) : sum));
  return CUBLAS_STATUS_SUCCESS;
}
/// Index, from 1, of the first element with the largest or smallest magnitude; 0 for an empty vector.
template <class T>
cublasStatus_t extreme(int n, const T* x, int incx, int* result, bool largest) {
  int at = 0;
  if (n > 0 && incx > 0) {
    Vector<T> a(x, n, incx);
    for (int i = 1; i < n; ++i) {
      const double v = std::fabs(double(a[i])), best = std::fabs(double(a[at]));
      if (largest ? v > best : v < best) at = i;
    }
    ++at;
  }
  set_scalar(result, at);
  return CUBLAS_STATUS_SUCCESS;
}

/// Elements from the first to the last of a column-major matrix.
size_t extent(long rows, long columns, long leading) {
  return rows > 0 && columns > 0 ? size_t((columns - 1) * leading + rows) : 0;
}

template <class T>
cublasStatus_t gemv(cublasOperation_t op, int m, int n, const T* alpha, const T* a, int lda, const T* x,
                    int incx, const T* beta, T* y, int incy) {
  if (m < 0 || n < 0 || lda < m || !incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  const bool turned = op != CUBLAS_OP_N;
  const long rows = turned ? n : m, sums = turned ? m : n;
  Copied<T> matrix(a, extent(m, n, lda));
  Vector<T> from(x, sums, incx), to(y, rows, incy);
  const double by = double(scalar(alpha)), keep = double(scalar(beta));
  for (long i = 0; i < rows; ++i) {
    double sum = 0;
    for (long k = 0; k < sums; ++k)
      sum += double(matrix.v[size_t(turned ? i * lda + k : k * lda + i)]) * double(from[k]);
    to[i] = T(by * sum + (keep != 0 ? keep * double(to[i]) : 0));
  }
  to.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t gemm(cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k, const T* alpha,
                    const T* a, int lda, const T* b, int ldb, const T* beta, T* c, int ldc) {
  const bool ta = op_a != CUBLAS_OP_N, tb = op_b != CUBLAS_OP_N;
  if (m < 0 || n < 0 || k < 0 || lda < (ta ? k : m) || ldb < (tb ? n : k) || ldc < m)
    return CUBLAS_STATUS_INVALID_VALUE;
  const Copied<T> left(a, ta ? extent(k, m, lda) : extent(m, k, lda));
  const Copied<T> right(b, tb ? extent(n, k, ldb) : extent(k, n, ldb));
  Copied<T> out(c, extent(m, n, ldc));
  const double by = double(scalar(alpha)), keep = double(scalar(beta));
  dojo::libraries::product(
      m, n, k, [&](long i, long l) { return double(left.v[size_t(ta ? i * lda + l : l * lda + i)]); },
      [&](long l, long j) { return double(right.v[size_t(tb ? l * ldb + j : j * ldb + l)]); },
      [&](long i, long j, double sum) {
        T& to = out.v[size_t(j * ldc + i)];
        to = T(by * sum + (keep != 0 ? keep * double(to) : 0));
      });
  out.put();
  return CUBLAS_STATUS_SUCCESS;
}

template <class T>
cublasStatus_t ger(int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda) {
  if (m < 0 || n < 0 || lda < m || !incx || !incy) return CUBLAS_STATUS_INVALID_VALUE;
  Vector<T> left(x, m, incx), right(y, n, incy);
  Copied<T> matrix(a, extent(m, n, lda));
  const T by = scalar(alpha);
  for (long j = 0; j < n; ++j)
    for (long i = 0; i < m; ++i)
      matrix.v[size_t(j * lda + i)] += T(double(by) * double(left[i]) * double(right[j]));
  matrix.put();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t move_bytes(size_t width, size_t rows, const void* from, size_t from_pitch, void* to,
                          size_t to_pitch) {
  return cudaMemcpy2D(to, to_pitch, from, from_pitch, width, rows, cudaMemcpyDefault) == cudaSuccess
             ? CUBLAS_STATUS_SUCCESS
             : CUBLAS_STATUS_MAPPING_ERROR;
}
}  // namespace

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t* h) {
  *h = new cublasContext;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasDestroy_v2(cublasHandle_t h) {
  delete h;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetVersion_v2(cublasHandle_t, int* version) {
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetStream_v2(cublasHandle_t h, cudaStream_t s) {
  h->stream = s;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetStream_v2(cublasHandle_t h, cudaStream_t* s) {
  *s = h->stream;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t h, cublasPointerMode_t mode) {
  h->mode = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetPointerMode_v2(cublasHandle_t h, cublasPointerMode_t* mode) {
  *mode = h->mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetMathMode(cublasHandle_t h, cublasMath_t mode) {
  h->math = mode;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasGetMathMode(cublasHandle_t h, cublasMath_t* mode) {
  *mode = h->math;
  return CUBLAS_STATUS_SUCCESS;
}
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t, void*, size_t) { return CUBLAS_STATUS_SUCCESS; }

cublasStatus_t cublasSetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return move_bytes(size_t(bytes), size_t(n), x, size_t(incx) * size_t(bytes), y,
                    size_t(incy) * size_t(bytes));
}
cublasStatus_t cublasGetVector(int n, int bytes, const void* x, int incx, void* y, int incy) {
  return cublasSetVector(n, bytes, x, incx, y, incy);
}
cublasStatus_t cublasSetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return move_bytes(size_t(rows) * size_t(bytes), size_t(columns), a, size_t(lda) * size_t(bytes), b,
                    size_t(ldb) * size_t(bytes));
}
cublasStatus_t cublasGetMatrix(int rows, int columns, int bytes, const void* a, int lda, void* b, int ldb) {
  return cublasSetMatrix(rows, columns, bytes, a, lda, b, ldb);
}

#define BLAS_OF(S, T)                                                                                        \
  cublasStatus_t cublas##S##axpy_v2(cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y,     \
                                    int incy) {                                                              \
    ENTER(h, "cublas" #S "axpy") return axpy(n, alpha, x, incx, y, incy);                                    \
  }                                                                                                          \
  cublasStatus_t cublas##S##scal_v2(cublasHandle_t h, int n, const T* alpha, T* x, int incx) {               \
    ENTER(h, "cublas" #S "scal") return scal(n, alpha, x, incx);                                             \
  }                                                                                                          \
  cublasStatus_t cublas##S##copy_v2(cublasHandle_t h, int n, const T* x, int incx, T* y, int incy) {         \
    ENTER(h, "cublas" #S "copy") return copy(n, x, incx, y, incy, false);                                    \
  }                                                                                                          \
  cublasStatus_t cublas##S##swap_v2(cublasHandle_t h, int n, T* x, int incx, T* y, int incy) {               \
    ENTER(h, "cublas" #S "swap") return copy(n, x, incx, y, incy, true);                                     \
  }                                                                                                          \
  cublasStatus_t cublas##S##dot_v2(cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy,      \
                                   T* r) {                                                                   \
    ENTER(h, "cublas" #S "dot") return dot(n, x, incx, y, incy, r);                                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t h, int n, const T* x, int incx, T* r) {                   \
    ENTER(h, "cublas" #S "nrm2") return norm(n, x, incx, r, true);                                           \
  }                                                                                                          \
  cublasStatus_t cublas##S##asum_v2(cublasHandle_t h, int n, const T* x, int incx, T* r) {                   \
    ENTER(h, "cublas" #S "asum") return norm(n, x, incx, r, false);                                          \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemv_v2(cublasHandle_t h, cublasOperation_t op, int m, int n, const T* alpha,    \
                                    const T* a, int lda, const T* x, int incx, const T* beta, T* y,          \
                                    int incy) {                                                              \
    ENTER(h, "cublas" #S "gemv") return gemv(op, m, n, alpha, a, lda, x, incx, beta, y, incy);               \
  }                                                                                                          \
  cublasStatus_t cublas##S##ger_v2(cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx,     \
                                   const T* y, int incy, T* a, int lda) {                                    \
    ENTER(h, "cublas" #S "ger") return ger(m, n, alpha, x, incx, y, incy, a, lda);                           \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemm_v2(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m,     \
                                    int n, int k, const T* alpha, const T* a, int lda, const T* b, int ldb,  \
                                    const T* beta, T* c, int ldc) {                                          \
    ENTER(h, "cublas" #S "gemm") return gemm(ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);          \
  }                                                                                                          \
  cublasStatus_t cublas##S##gemmStridedBatched(cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, \
                                               int m, int n, int k, const T* alpha, const T* a, int lda,     \
                                               long long sa, const T* b, int ldb, long long sb,              \
                                               const T* beta, T* c, int ldc, long long sc, int count) {      \
    ENTER(h, "cublas" #S "gemmStridedBatched")                                                               \
    for (long i = 0; i < count; ++i)                                                                         \
      if (const cublasStatus_t s =                                                                           \
              gemm(ta, tb, m, n, k, alpha, a + i * sa, lda, b + i * sb, ldb, beta, c + i * sc, ldc))         \
        return s;                                                                                            \
    return CUBLAS_STATUS_SUCCESS;                                                                            \
  }
BLAS_OF(S, float)
BLAS_OF(D, double)

cublasStatus_t cublasIsamax_v2(cublasHandle_t h, int n, const float* x, int incx, int* result) {
  ENTER(h, "cublasIsamax") return extreme(n, x, incx, result, true);
}
cublasStatus_t cublasIdamax_v2(cublasHandle_t h, int n, const double* x, int incx, int* result) {
  ENTER(h, "cublasIdamax") return extreme(n, x, incx, result, true);
}
cublasStatus_t cublasIsamin_v2(cublasHandle_t h, int n, const float* x, int incx, int* result) {
  ENTER(h, "cublasIsamin") return extreme(n, x, incx, result, false);
}

cublasStatus_t cublasIdamin_v2(cublasHandle_t h, int n, const double* x, int incx, int* result) {
  ENTER(h, "cublasIdamin") return extreme(n, x, incx, result, false);
}

}  // extern "C"
