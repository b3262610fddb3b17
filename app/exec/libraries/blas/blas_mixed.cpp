// cuBLAS products of matrices of half, bfloat16, float, double and 8-bit integers, whose types are arguments
// (cublasGemmEx), cublasHgemm, and vectors whose types are arguments. Sums are double and are rounded once; a
// GPU's sums are narrower and can differ.
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <initializer_list>
#include <vector>

#include "blas_call.hpp"
#include "typed_matrix.hpp"

namespace {
using namespace dojo::libraries;

/// The type of alpha and beta.
cudaDataType scale_type(cublasComputeType_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return CUDA_R_16F;
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC:
      return CUDA_R_32I;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return CUDA_R_64F;
    default:
      return CUDA_R_32F;
  }
}

struct Sizes {
  cublasOperation_t a, b;
  int m, n, k;
};

cublasStatus_t product(const Sizes& s, const void* alpha, const void* a, cudaDataType type_a, int lda,
                       const void* b, cudaDataType type_b, int ldb, const void* beta, void* c,
                       cudaDataType type_c, int ldc, cudaDataType scales) {
  if (s.m < 0 || s.n < 0 || s.k < 0 || lda < (s.a == CUBLAS_OP_N ? s.m : s.k) ||
      ldb < (s.b == CUBLAS_OP_N ? s.k : s.n) || ldc < s.m)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!bytes_of(type_a) || !bytes_of(type_b) || !bytes_of(type_c)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const auto operand = [](const void* at, cudaDataType type, cublasOperation_t op, long rows, long columns,
                          int ld) {
    return op == CUBLAS_OP_N ? TypedMatrix(at, type, rows, columns, 1, ld)
                             : TypedMatrix(at, type, rows, columns, ld, 1);
  };
  const TypedMatrix left = operand(a, type_a, s.a, s.m, s.k, lda),
                    right = operand(b, type_b, s.b, s.k, s.n, ldb);
  TypedMatrix out(c, type_c, s.m, s.n, 1, ldc);
  const double by = scalar(alpha, scales), keep = scalar(beta, scales);
  typed_product(s.m, s.n, s.k, left, right, [&](long i, long j, double sum) {
    out.set(i, j, by * sum + (keep != 0 ? keep * out(i, j) : 0));
  });
  out.all.put();
  return CUBLAS_STATUS_SUCCESS;
}

/// `count` such products, of matrices whose addresses are arrays of the device.
cublasStatus_t products(const Sizes& sizes, const void* alpha, const void* const* a, cudaDataType type_a,
                        int lda, const void* const* b, cudaDataType type_b, int ldb, const void* beta,
                        void* const* c, cudaDataType type_c, int ldc, cudaDataType scale, int count) {
  if (count < 0) return CUBLAS_STATUS_INVALID_VALUE;
  const Copied<const void*> as(a, size_t(count)), bs(b, size_t(count));
  const Copied<void*> cs(c, size_t(count));
  for (size_t i = 0; i < size_t(count); ++i)
    if (const cublasStatus_t s = product(sizes, alpha, as.v[i], type_a, lda, bs.v[i], type_b, ldb, beta,
                                         cs.v[i], type_c, ldc, scale))
      return s;
  return CUBLAS_STATUS_SUCCESS;
}

const std::byte* later(const void* at, long long elements, cudaDataType type) {
  return static_cast<const std::byte*>(at) + elements * static_cast<long long>(bytes_of(type));
}

/// A vector whose type is an argument. A negative step begins at its end.
class Elements {
 public:
  Elements(const void* at, cudaDataType type, int n, int step)
      : type_(type),
        size_(bytes_of(type)),
        step_(step),
        n_(n),
        all_(static_cast<const std::byte*>(at),
             n > 0 ? size_ * (size_t(n - 1) * size_t(std::abs(step)) + 1) : 0) {}
  double at(int i) const { return number(&all_.v[place(i)], type_); }
  void set(int i, double v) { put_number(&all_.v[place(i)], type_, v); }
  void put() const { all_.put(); }

 private:
  size_t place(int i) const { return size_ * size_t(step_ >= 0 ? i : n_ - 1 - i) * size_t(std::abs(step_)); }
  cudaDataType type_;
  size_t size_;
  int step_, n_;
  Copied<std::byte> all_;
};
bool known(std::initializer_list<cudaDataType> types) {
  return std::all_of(types.begin(), types.end(), [](cudaDataType t) { return bytes_of(t) != 0; });
}
double one_of(const void* at, cudaDataType type) { return Elements(at, type, 1, 1).at(0); }
void put_one(void* at, cudaDataType type, double v) {
  Elements out(at, type, 1, 1);
  out.set(0, v);
  out.put();
}
}  // namespace

extern "C" {

cublasStatus_t cublasGemmEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                            int k, const void* alpha, const void* a, cudaDataType type_a, int lda,
                            const void* b, cudaDataType type_b, int ldb, const void* beta, void* c,
                            cudaDataType type_c, int ldc, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return blas_call(h, "cublasGemmEx", [&] {
    return product({op_a, op_b, m, n, k}, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                   scale_type(compute));
  });
}
cublasStatus_t cublasSgemmEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                             int k, const float* alpha, const void* a, cudaDataType type_a, int lda,
                             const void* b, cudaDataType type_b, int ldb, const float* beta, void* c,
                             cudaDataType type_c, int ldc) {
  return blas_call(h, "cublasSgemmEx", [&] {
    return product({op_a, op_b, m, n, k}, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                   CUDA_R_32F);
  });
}
cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b,
                                          int m, int n, int k, const void* alpha, const void* a,
                                          cudaDataType type_a, int lda, long long stride_a, const void* b,
                                          cudaDataType type_b, int ldb, long long stride_b, const void* beta,
                                          void* c, cudaDataType type_c, int ldc, long long stride_c,
                                          int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return blas_call(h, "cublasGemmStridedBatchedEx", [&] {
    for (int i = 0; i < count; ++i)
      if (const cublasStatus_t s = product({op_a, op_b, m, n, k}, alpha, later(a, i * stride_a, type_a),
                                           type_a, lda, later(b, i * stride_b, type_b), type_b, ldb, beta,
                                           const_cast<std::byte*>(later(c, i * stride_c, type_c)), type_c,
                                           ldc, scale_type(compute)))
        return s;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasHgemm(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m, int n,
                           int k, const __half* alpha, const __half* a, int lda, const __half* b, int ldb,
                           const __half* beta, __half* c, int ldc) {
  return blas_call(h, "cublasHgemm", [&] {
    return product({op_a, op_b, m, n, k}, alpha, a, CUDA_R_16F, lda, b, CUDA_R_16F, ldb, beta, c, CUDA_R_16F,
                   ldc, CUDA_R_16F);
  });
}
cublasStatus_t cublasHgemmStridedBatched(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b,
                                         int m, int n, int k, const __half* alpha, const __half* a, int lda,
                                         long long stride_a, const __half* b, int ldb, long long stride_b,
                                         const __half* beta, __half* c, int ldc, long long stride_c,
                                         int count) {
  return blas_call(h, "cublasHgemmStridedBatched", [&] {
    for (int i = 0; i < count; ++i)
      if (const cublasStatus_t s =
              product({op_a, op_b, m, n, k}, alpha, a + i * stride_a, CUDA_R_16F, lda, b + i * stride_b,
                      CUDA_R_16F, ldb, beta, c + i * stride_c, CUDA_R_16F, ldc, CUDA_R_16F))
        return s;
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasGemmBatchedEx(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                                   int n, int k, const void* alpha, const void* const a[],
                                   cudaDataType type_a, int lda, const void* const b[], cudaDataType type_b,
                                   int ldb, const void* beta, void* const c[], cudaDataType type_c, int ldc,
                                   int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return blas_call(h, "cublasGemmBatchedEx", [&] {
    return products({op_a, op_b, m, n, k}, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
                    scale_type(compute), count);
  });
}
cublasStatus_t cublasHgemmBatched(cublasHandle_t h, cublasOperation_t op_a, cublasOperation_t op_b, int m,
                                  int n, int k, const __half* alpha, const __half* const a[], int lda,
                                  const __half* const b[], int ldb, const __half* beta, __half* const c[],
                                  int ldc, int count) {
  return blas_call(h, "cublasHgemmBatched", [&] {
    return products({op_a, op_b, m, n, k}, alpha, reinterpret_cast<const void* const*>(a), CUDA_R_16F, lda,
                    reinterpret_cast<const void* const*>(b), CUDA_R_16F, ldb, beta,
                    reinterpret_cast<void* const*>(c), CUDA_R_16F, ldc, CUDA_R_16F, count);
  });
}

// Vectors whose types are arguments: of real numbers.
cublasStatus_t cublasAxpyEx(cublasHandle_t h, int n, const void* alpha, cudaDataType type_alpha,
                            const void* x, cudaDataType type_x, int incx, void* y, cudaDataType type_y,
                            int incy, cudaDataType) {
  return blas_call(h, "cublasAxpyEx", [&] {
    if (!known({type_alpha, type_x, type_y})) return CUBLAS_STATUS_NOT_SUPPORTED;
    const Elements from(x, type_x, n, incx);
    Elements to(y, type_y, n, incy);
    const double by = one_of(alpha, type_alpha);
    for (int i = 0; i < n; ++i) to.set(i, by * from.at(i) + to.at(i));
    to.put();
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasDotEx(cublasHandle_t h, int n, const void* x, cudaDataType type_x, int incx,
                           const void* y, cudaDataType type_y, int incy, void* result, cudaDataType type,
                           cudaDataType) {
  return blas_call(h, "cublasDotEx", [&] {
    if (!known({type_x, type_y, type})) return CUBLAS_STATUS_NOT_SUPPORTED;
    const Elements a(x, type_x, n, incx), b(y, type_y, n, incy);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += a.at(i) * b.at(i);
    put_one(result, type, sum);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasNrm2Ex(cublasHandle_t h, int n, const void* x, cudaDataType type_x, int incx,
                            void* result, cudaDataType type, cudaDataType) {
  return blas_call(h, "cublasNrm2Ex", [&] {
    if (!known({type_x, type})) return CUBLAS_STATUS_NOT_SUPPORTED;
    const Elements a(x, type_x, n, incx);
    double norm = 0;
    for (int i = 0; i < n; ++i) norm = std::hypot(norm, a.at(i));
    put_one(result, type, norm);
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasScalEx(cublasHandle_t h, int n, const void* alpha, cudaDataType type_alpha, void* x,
                            cudaDataType type_x, int incx, cudaDataType) {
  return blas_call(h, "cublasScalEx", [&] {
    if (!known({type_alpha, type_x})) return CUBLAS_STATUS_NOT_SUPPORTED;
    Elements a(x, type_x, n, incx);
    const double by = one_of(alpha, type_alpha);
    for (int i = 0; i < n; ++i) a.set(i, by * a.at(i));
    a.put();
    return CUBLAS_STATUS_SUCCESS;
  });
}
cublasStatus_t cublasRotEx(cublasHandle_t h, int n, void* x, cudaDataType type_x, int incx, void* y,
                           cudaDataType type_y, int incy, const void* c, const void* s, cudaDataType type,
                           cudaDataType) {
  return blas_call(h, "cublasRotEx", [&] {
    if (!known({type_x, type_y, type})) return CUBLAS_STATUS_NOT_SUPPORTED;
    Elements a(x, type_x, n, incx), b(y, type_y, n, incy);
    const double cosine = one_of(c, type), sine = one_of(s, type);
    for (int i = 0; i < n; ++i) {
      const double from_a = a.at(i), from_b = b.at(i);
      a.set(i, cosine * from_a + sine * from_b);
      b.set(i, cosine * from_b - sine * from_a);
    }
    a.put(), b.put();
    return CUBLAS_STATUS_SUCCESS;
  });
}

}  // extern "C"
