// Calls of cuBLAS and cuSPARSE for `warpdojo exec` that few programs use: least squares in batches, counts
// and sorts, batches of sparse matrices.
#include <doctest/doctest.h>

#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;

TEST_CASE("exec: cuBLAS solves least squares in batches, of real and complex numbers") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cublas_v2.h>
#include <complex>
#include "arrays.hpp"
using C = std::complex<double>;
/// Where X is right, A^H (A X - B) is 0. Also |R|: columns of A and of R are as long.
template <class T, class Solve>
void check(Solve solve) {
  const int m = 5, n = 3, sides = 2, lda = 6, ldb = 7;
  std::vector<T> a(lda * n), b(ldb * sides);
  for (int i = 0; i < lda * n; ++i) a[i] = T(i * i % 11) - T(4);
  for (int i = 0; i < ldb * sides; ++i) b[i] = T(i * 3 % 7) - T(2);
  if constexpr (!std::is_same_v<T, float>) a[1] += T(0, 2), a[8] -= T(0, 1), b[2] += T(0, 3);
  std::vector<T> zero(lda * n);
  T *da = device(a), *db = device(b), *dz = device(zero), *dy = device(b);
  T **as = device<T*>({da, dz}), **bs = device<T*>({db, dy});
  int info = 7, *infos = device<int>({9, 9}), host[2];
  const int status = solve(m, n, sides, as, lda, bs, ldb, &info, infos, 2);
  std::vector<T> x(ldb * sides), r(lda * n);
  cudaMemcpy(x.data(), db, x.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(r.data(), da, r.size() * sizeof(T), cudaMemcpyDeviceToHost);
  cudaMemcpy(host, infos, sizeof host, cudaMemcpyDeviceToHost);
  double off = 0, first = 0;
  for (int s = 0; s < sides; ++s)
    for (int j = 0; j < n; ++j) {
      C sum = 0;
      for (int i = 0; i < m; ++i) {
        C residual = -C(b[s * ldb + i]);
        for (int k = 0; k < n; ++k) residual += C(a[k * lda + i]) * C(x[s * ldb + k]);
        sum += std::conj(C(a[j * lda + i])) * residual;
      }
      off = std::fmax(off, std::abs(sum));
    }
  for (int i = 0; i < m; ++i) first += std::norm(C(a[i]));
  printf("%d %d %d %d, %d %d\n", status, info, host[0], host[1], off < 1e-4,
         std::abs(std::abs(C(r[0])) - std::sqrt(first)) < 1e-5);
}
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  check<float>(
      [&](int m, int n, int sides, float** a, int lda, float** b, int ldb, int* info, int* infos, int count) {
        return cublasSgelsBatched(h, CUBLAS_OP_N, m, n, sides, a, lda, b, ldb, info, infos, count);
      });
  check<C>([&](int m, int n, int sides, C** a, int lda, C** b, int ldb, int* info, int* infos, int count) {
    return cublasZgelsBatched(h, CUBLAS_OP_N, m, n, sides, (cuDoubleComplex**)a, lda, (cuDoubleComplex**)b,
                              ldb, info, infos, count);
  });
  int info = 0;
  printf("%d", cublasSgelsBatched(h, CUBLAS_OP_N, 4, 3, 1, nullptr, 2, nullptr, 4, &info, nullptr, 0));
  printf(" %d", info);
  printf(" %d", cublasSgelsBatched(h, CUBLAS_OP_N, 2, 3, 1, nullptr, 2, nullptr, 3, &info, nullptr, 0));
  printf(" %d\n", cublasSgelsBatched(h, CUBLAS_OP_T, 3, 3, 1, nullptr, 3, nullptr, 3, &info, nullptr, 0));
  return cublasDestroy(h);
}
)cu");
  const Shell s = b("$N -g -std=c++17 -cudart shared -o p p.cpp -lcublas && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "0 0 0 1, 1 1\n0 0 0 1, 1 1\n7 -6 15 15\n");
}

TEST_CASE("exec: cuSPARSE counts entries, sorts indices of rows, and multiplies batches of sparse matrices") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cuda_runtime.h>
#include <cusparse.h>
#include "arrays.hpp"
int main() {
  cusparseHandle_t h;
  cusparseMatDescr_t d;
  cusparseCreate(&h), cusparseCreateMatDescr(&d);
  // By columns with a leading dimension of 3: 1 0 / 2 0 / 3 4.
  const float* dense = device<float>({1, 2, 3, 0, 0, 4});
  int *lines = device<int>({9, 9, 9}), total = 0;
  cusparseSnnz(h, CUSPARSE_DIRECTION_ROW, 2, 2, d, dense, 3, lines, &total);
  print(lines, 3);
  cusparseSnnz(h, CUSPARSE_DIRECTION_COLUMN, 3, 2, d, dense, 3, lines, &total);
  print(lines, 3);
  printf("%d\n", total);
  // Rows of 3, 0 and 2 entries.
  int *offsets = device<int>({0, 3, 3, 5}), *columns = device<int>({2, 0, 1, 1, 0}),
      *p = device<int>({0, 1, 2, 3, 4});
  size_t bytes = 0;
  cusparseXcsrsort_bufferSizeExt(h, 3, 3, 5, offsets, columns, &bytes);
  cusparseXcsrsort(h, 3, 3, 5, d, offsets, columns, p, nullptr);
  print(columns, 5), print(p, 5);
  // Two sparse matrices of one shape: (1 0 / 0 2) and (0 3 / 4 0), each times a matrix of its own.
  const auto I = CUSPARSE_INDEX_32I;
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE;
  float one = 1, none = 0;
  cusparseSpMatDescr_t a;
  cusparseCreateCsr(&a, 2, 2, 2, device<int>({0, 1, 2, 0, 1, 2}), device<int>({0, 1, 1, 0}),
                    device<float>({1, 2, 3, 4}), I, I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCsrSetStridedBatch(a, 2, 3, 2);
  float *right = device<float>({1, 1, 1, 2}), *out = device<float>({9, 9, 9, 9});
  cusparseDnMatDescr_t b, c;
  cusparseCreateDnMat(&b, 2, 1, 2, right, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&c, 2, 1, 2, out, CUDA_R_32F, CUSPARSE_ORDER_COL);
  cusparseDnMatSetStridedBatch(b, 2, 2), cusparseDnMatSetStridedBatch(c, 2, 2);
  cusparseSpMM(h, N, N, &one, a, b, &none, c, CUDA_R_32F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
  print(out, 4);
  // Of products of two vectors, 1 1 and 1 2, those elements that the sparse matrices have.
  cusparseDnMatDescr_t row;
  cusparseCreateDnMat(&row, 1, 2, 2, right, CUDA_R_32F, CUSPARSE_ORDER_ROW);
  cusparseDnMatSetStridedBatch(row, 2, 2);
  cusparseSDDMM(h, N, N, &one, b, row, &none, a, CUDA_R_32F, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr);
  void *o, *i, *values;
  int64_t rows, cols, count;
  cusparseIndexType_t t;
  cusparseIndexBase_t base;
  cudaDataType type;
  cusparseCsrGet(a, &rows, &cols, &count, &o, &i, &values, &t, &t, &base, &type);
  print((float*)values, 4);
  return cusparseDestroy(h);
}
)cu");
  const Shell s = b("$N -g -std=c++17 -cudart shared -o p p.cpp -lcusparse && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "1 1 9 \n3 1 9 \n4\n0 1 2 0 1 \n1 2 0 4 3 \n1 2 6 4 \n1 1 2 2 \n");
}
