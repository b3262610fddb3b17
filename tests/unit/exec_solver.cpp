// Stand-ins of cuSOLVER, and of cuBLAS's calls on triangular and symmetric matrices and of mixed types, under
// `warpdojo exec`.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: cuSOLVER's factors, solutions, eigenvalues and singular values are LAPACK's") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  if (needs::left_out_without("LAPACK (liblapack3)", dlopen("liblapack.so.3", RTLD_LAZY) != nullptr)) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include "arrays.hpp"
#include <cusolverDn.h>
#define CALL(x) do { if (const int e = (x)) { printf("%s: %d\n", #x, e); return 1; } } while (0)
int main() {
  cusolverDnHandle_t h;
  CALL(cusolverDnCreate(&h));
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const auto V = CUSOLVER_EIG_MODE_VECTOR;
  const std::vector<double> A{4, 1, 2, 1, 5, 3, 2, 3, 6}, B{1, 2, 3};
  int n = 3, length = 0, *pivots = device<int>({0, 0, 0}), *info = device<int>({-1});
  double *work, *a = device(A), *x = device(B);
  CALL(cusolverDnDgetrf_bufferSize(h, n, n, a, n, &length));
  cudaMalloc(&work, length * sizeof *work);
  CALL(cusolverDnDgetrf(h, n, n, a, n, work, pivots, info));
  CALL(cusolverDnDgetrs(h, CUBLAS_OP_N, n, 1, a, n, pivots, x, n, info));
  print("lu", x, 3), print("info", info, 1);
  a = device(A), x = device(B);
  CALL(cusolverDnDgetrf(h, n, n, a, n, work, nullptr, info));
  CALL(cusolverDnDgetrs(h, CUBLAS_OP_T, n, 1, a, n, nullptr, x, n, info));
  print("lu without pivots", x, 3);
  a = device(A), x = device(B);
  CALL(cusolverDnDpotrf(h, low, n, a, n, work, length, info));
  CALL(cusolverDnDpotrs(h, low, n, 1, a, n, x, n, info));
  print("cholesky", x, 3);
  CALL(cusolverDnDpotri(h, low, n, a, n, work, length, info));
  print("inverse", a, 3);
  a = device(A), x = device(B);
  double *tau = device(B), *w = device(B);
  CALL(cusolverDnDgeqrf(h, n, n, a, n, tau, work, length, info));
  CALL(cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, n, 1, n, a, n, tau, x, n, work, length, info));
  CALL(cusolverDnDormqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, n, 1, n, a, n, tau, x, n, work, length, info));
  print("Q Q^T", x, 3);
  CALL(cusolverDnDorgqr(h, n, n, n, a, n, tau, work, length, info));
  a = device(A);
  CALL(cusolverDnDsyevd(h, V, low, n, a, n, w, work, length, info));
  print("eigenvalues", w, 3);
  a = device(A);
  double* two = device<double>({2, 0, 0, 0, 2, 0, 0, 0, 2});
  CALL(cusolverDnDsygvd(h, CUSOLVER_EIG_TYPE_1, V, low, n, a, n, two, n, w, work, length, info));
  print("half of them", w, 3);
  // 3 x 2 of rank 2 in float, with a gap below each column; and the generic interface.
  float *f = device<float>({3, 0, 0, 9, 0, 4, 0, 9}), *s = device<float>({0, 0}),
        *u = device(std::vector<float>(9)), *v = device(std::vector<float>(4));
  CALL(cusolverDnSgesvd(h, 'A', 'A', 3, 2, f, 4, s, u, 3, v, 2, nullptr, 0, nullptr, info));
  print("singular values", s, 2);
  printf("%d\n", cusolverDnSgesvd(h, 'N', 'N', 2, 3, f, 4, s, u, 3, v, 2, nullptr, 0, nullptr, info) ==
                     CUSOLVER_STATUS_INVALID_VALUE);
  size_t on_device, on_host;
  cusolverDnParams_t params;
  CALL(cusolverDnCreateParams(&params));
  a = device(A), x = device(B);
  int64_t* wide = device<int64_t>({0, 0, 0});
  CALL(cusolverDnXgetrf_bufferSize(h, params, n, n, CUDA_R_64F, a, n, CUDA_R_64F, &on_device, &on_host));
  CALL(cusolverDnXgetrf(h, params, n, n, CUDA_R_64F, a, n, wide, CUDA_R_64F, work, on_device, nullptr,
                         0, info));
  CALL(cusolverDnXgetrs(h, params, CUBLAS_OP_N, n, 1, CUDA_R_64F, a, n, wide, CUDA_R_64F, x, n, info));
  print("generic", x, 3);
  double* singular = device<double>({1, 1, 1, 1});
  CALL(cusolverDnDpotrf(h, low, 2, device<double>({1, 2, 2, 1}), 2, work, length, info));
  print("not positive", info, 1);
  CALL(cusolverDnDgetrf(h, 2, 2, singular, 2, work, pivots, info));
  print("singular", info, 1);
  return cusolverDnSetDeterministicMode(h, CUSOLVER_DETERMINISTIC_RESULTS) != CUSOLVER_STATUS_NOT_SUPPORTED;
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcusolver && $W exec ./p");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "lu 0 0.1429 0.4286\ninfo 0\nlu without pivots 0 0.1429 0.4286\ncholesky 0 0.1429 0.4286\n"
        "inverse 0.3 0 -0.1\nQ Q^T 1 2 3\neigenvalues 2.1944 3.3868 9.4188\n"
        "half of them 1.0972 1.6934 4.7094\nsingular values 4 3\n1\ngeneric 0 0.1429 0.4286\nnot positive "
        "2\nsingular 2\n");
  CHECK(has(s.err, "cusolverDnDgetrf is computed on the host: it is not simulated"));
  CHECK(has(s.err,
            "cusolverDnSetDeterministicMode is not supported yet and returns CUSOLVER_STATUS_NOT_SUPPORTED"));
}

TEST_CASE("exec: complex matrices and batches are factored and solved, too") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  if (needs::left_out_without("LAPACK (liblapack3)", dlopen("liblapack.so.3", RTLD_LAZY) != nullptr)) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include "arrays.hpp"
#include <cublas_v2.h>
#include <cusolverDn.h>
#define CALL(x) do { if (const int e = (x)) { printf("%s: %d\n", #x, e); return 1; } } while (0)
using Z = cuDoubleComplex;
using C = cuComplex;
int main() {
  cusolverDnHandle_t h;
  CALL(cusolverDnCreate(&h));
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const auto V = CUSOLVER_EIG_MODE_VECTOR;
  // A = 4, 1-2i / 1+2i, 6 is Hermitian, by column; A (1, i) = (6+i, 1+8i).
  const std::vector<Z> A{{4, 0}, {1, 2}, {1, -2}, {6, 0}}, B{{6, 1}, {1, 8}};
  int n = 2, length = 0, *pivots = device<int>({0, 0}), *info = device<int>({-1});
  Z *work, *a = device(A), *x = device(B);
  CALL(cusolverDnZgetrf_bufferSize(h, n, n, a, n, &length));
  cudaMalloc(&work, length * sizeof *work);
  CALL(cusolverDnZgetrf(h, n, n, a, n, work, pivots, info));
  CALL(cusolverDnZgetrs(h, CUBLAS_OP_N, n, 1, a, n, pivots, x, n, info));
  print("lu", (double*)x, 4), print("info", info, 1);
  x = device(B);  // A is its own conjugate transpose
  CALL(cusolverDnZgetrs(h, CUBLAS_OP_C, n, 1, a, n, pivots, x, n, info));
  print("conjugate", (double*)x, 4);
  a = device(A), x = device(B);
  CALL(cusolverDnZpotrf(h, low, n, a, n, work, length, info));
  CALL(cusolverDnZpotrs(h, low, n, 1, a, n, x, n, info));
  print("cholesky", (double*)x, 4);
  a = device(A), x = device(B);
  Z* tau = device(B);
  CALL(cusolverDnZgeqrf(h, n, n, a, n, tau, work, length, info));
  CALL(cusolverDnZunmqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_C, n, 1, n, a, n, tau, x, n, work, length, info));
  CALL(cusolverDnZunmqr(h, CUBLAS_SIDE_LEFT, CUBLAS_OP_N, n, 1, n, a, n, tau, x, n, work, length, info));
  print("Q Q^H", (double*)x, 4);
  double* w = device<double>({0, 0});
  a = device(A);
  CALL(cusolverDnZheevd(h, V, low, n, a, n, w, work, length, info));
  print("eigenvalues", w, 2);
  // 3i, 0 / 0, 4: singular values 4 and 3, in single precision.
  C *f = device<C>({{0, 3}, {0, 0}, {0, 0}, {4, 0}}), *u = device(std::vector<C>(4)),
    *v = device(std::vector<C>(4));
  float* s = device<float>({0, 0});
  CALL(cusolverDnCgesvd(h, 'A', 'A', n, n, f, n, s, u, n, v, n, nullptr, 0, nullptr, info));
  print("singular values", s, 2);
  a = device(A);
  size_t on_device, on_host;
  cusolverDnParams_t params;
  CALL(cusolverDnCreateParams(&params));
  CALL(cusolverDnXsyevd_bufferSize(h, params, V, low, n, CUDA_C_64F, a, n, CUDA_R_64F, w, CUDA_C_64F,
                                   &on_device, &on_host));
  CALL(cusolverDnXsyevd(h, params, V, low, n, CUDA_C_64F, a, n, CUDA_R_64F, w, CUDA_C_64F, work, on_device,
                        nullptr, 0, info));
  print("generic", w, 2);
  // Batches: of real matrices by Cholesky, of complex ones by LU.
  double *p = device<double>({4, 2, 2, 5}), *q = device<double>({1, 2, 2, 1}), *b1 = device<double>({8, 12}),
         *b2 = device<double>({8, 12});
  double **pq = device<double*>({p, q}), **bs = device<double*>({b1, b2});
  int* both = device<int>({-1, -1});
  CALL(cusolverDnDpotrfBatched(h, low, n, pq, n, both, 2));
  print("batch", both, 2);
  CALL(cusolverDnDpotrsBatched(h, low, n, 1, pq, n, bs, n, info, 1));
  print("solved", b1, 2);
  cublasHandle_t blas;
  CALL(cublasCreate(&blas));
  a = device(A), x = device(B);
  Z *y = device(B), *inverse = device(A), **as = device<Z*>({a}), **xs = device<Z*>({x}),
    **ys = device<Z*>({y}),
    **is = device<Z*>({inverse});
  int status = -1;
  CALL(cublasZgetrfBatched(blas, n, as, n, pivots, info, 1));
  CALL(cublasZgetrsBatched(blas, CUBLAS_OP_N, n, 1, as, n, pivots, xs, n, &status, 1));
  CALL(cublasZgetrsBatched(blas, CUBLAS_OP_C, n, 1, as, n, pivots, ys, n, &status, 1));
  CALL(cublasZgetriBatched(blas, n, as, n, pivots, is, n, info, 1));
  print("x", (double*)x, 4), print("y", (double*)y, 4), print("inverse", (double*)inverse, 8);
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcusolver -lcublas && $W exec ./p");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "lu 1 0 0 1\ninfo 0\nconjugate 1 0 0 1\ncholesky 1 0 0 1\nQ Q^H 6 1 1 8\n"
        "eigenvalues 2.5505 7.4495\nsingular values 4 3\ngeneric 2.5505 7.4495\nbatch 0 2\nsolved 1 2\n"
        "x 1 0 0 1\ny 1 0 0 1\ninverse 0.3158 0 -0.0526 -0.1053 -0.0526 0.1053 0.2105 0\n");
}

TEST_CASE("exec: cuBLAS's calls on triangular and symmetric matrices, and products of mixed types") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include "arrays.hpp"
#include <cublas_v2.h>
#include <cuda_fp16.h>
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
  const auto L = CUBLAS_SIDE_LEFT, R = CUBLAS_SIDE_RIGHT;
  const auto up = CUBLAS_FILL_MODE_UPPER, low = CUBLAS_FILL_MODE_LOWER;
  const auto general = CUBLAS_DIAG_NON_UNIT;
  const double one = 1, none = 0, two = 2;
  // U = 2 3 / . 4, with 99 in the triangle that is not read.
  double *u = device<double>({2, 99, 3, 4}), *x = device<double>({8, 4, 5, 8});
  cublasDtrsm(h, L, up, N, general, 2, 2, &one, u, 2, x, 2);
  print("left", x, 4);
  cublasDtrmm(h, L, up, N, general, 2, 2, &one, u, 2, x, 2, x, 2);
  print("back", x, 4);
  cublasDtrsm(h, R, up, T, general, 2, 2, &two, u, 2, x, 2);
  print("right", x, 4);
  cublasDtrmm(h, R, up, T, general, 2, 2, &one, u, 2, x, 2, x, 2);
  print("back, twice", x, 4);
  double* v = device<double>({4, 7, 10});
  cublasDtrsv(h, up, T, general, 2, u, 2, v, 2);
  print("vector", v, 3);
  double *a = device<double>({1, 2, 3, 4, 5, 6}), *c = device<double>({7, 7, 7, 7});
  cublasDsyrk(h, low, N, 2, 3, &one, a, 2, &none, c, 2);
  print("A A^T", c, 4);
  double* m = device<double>({0, 0, 0, 0, 0, 0});
  cublasDsymm(h, L, low, 2, 3, &one, c, 2, a, 2, &none, m, 2);
  print("symmetric", m, 6);
  cublasDgeam(h, T, N, 3, 2, &one, a, 2, &none, nullptr, 3, m, 3);
  print("transposed", m, 6);
  cublasDdgmm(h, R, 2, 3, a, 2, device<double>({1, 10, 100}), 1, m, 2);
  print("scaled", m, 6);
  std::vector<__half> halves;
  for (float f : {1.f, 2.f, 3.f, 4.f}) halves.push_back(__float2half(f));
  __half* half = device(halves);
  float *to = device<float>({1, 1, 1, 1}), f1 = 1, f2 = 2;
  cublasGemmEx(h, N, T, 2, 2, 2, &f1, half, CUDA_R_16F, 2, half, CUDA_R_16F, 2, &f2, to, CUDA_R_32F, 2,
               CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  print("mixed", to, 4);
  int *sums = device<int>({0}), i1 = 1, i0 = 0;
  signed char* bytes = device<signed char>({100, -2, 3, 4});
  cublasGemmEx(h, T, N, 1, 1, 4, &i1, bytes, CUDA_R_8I, 4, bytes, CUDA_R_8I, 4, &i0, sums, CUDA_R_32I, 1,
               CUBLAS_COMPUTE_32I, CUBLAS_GEMM_DEFAULT);
  print("bytes", sums, 1);
  const __half h1 = __float2half(1), h0 = __float2half(0);
  __half* product = device(halves);
  cublasHgemm(h, N, N, 2, 2, 2, &h1, half, 2, half, 2, &h0, product, 2);
  cublasGemmStridedBatchedEx(h, N, N, 1, 1, 1, &f1, product, CUDA_R_16F, 1, 1, product, CUDA_R_16F, 1, 1,
                             &f2, to, CUDA_R_32F, 1, 1, 4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  print("squares", to, 4);
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcublas && $W exec ./p");
  CAPTURE(s.err);
  CHECK(s.out ==
        "left 2.5 1 -0.5 2\nback 8 4 5 8\nright 4.25 -2 2.5 4\nback, twice 16 8 10 16\nvector 2 7 1\n"
        "A A^T 35 44 7 56\nsymmetric 123 156 281 356 439 556\ntransposed 1 3 5 2 4 6\nscaled 1 2 30 40 500 "
        "600\n"
        "mixed 12 16 16 22\nbytes 10029\nsquares 73 132 257 528\n");
}
