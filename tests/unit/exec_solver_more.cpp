// The rest of cuSOLVER's and cuBLAS's stand-ins under `warpdojo exec`: Jacobi methods and batches, selected
// and general eigenvalues, sparse systems, and cuBLAS's batches of triangles and vectors of mixed types.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

namespace {
const char* const solver_helpers = R"cu(#include "arrays.hpp"
#define CALL(x) do { if (const int failed = (x)) { printf("%s: %d\n", #x, failed); return 1; } } while (0)
)cu";

const char* const what_solves = "exec, nvcc, and LAPACK (liblapack3)";
bool can_solve() { return has_exec() && has_nvcc() && dlopen("liblapack.so.3", RTLD_LAZY); }
Shell solved(const ExecBench& b, const char* program, const char* libraries) {
  b.t.write("p.cpp", solver_helpers + std::string(program));
  return b("$N -g -cudart shared -o p p.cpp " + std::string(libraries) + " && $W exec ./p");
}
}  // namespace

TEST_CASE("exec: cuSOLVER's Jacobi calls give A = U S V^H with V's columns, one matrix or a batch") {
  if (needs::left_out_without(what_solves, can_solve())) return;
  const ExecBench b;
  const Shell s = solved(b, R"cu(#include <cusolverDn.h>
const int m = 3, n = 2;
// How far U S V^H is from A, whose columns lie `lda` apart.
template <class T>
double distance(const std::vector<T>& A, int lda, const T* u, int ldu, const double* s, const T* v,
       int ldv, int rank) {
  const auto U = host(u, ldu * 3), V = host(v, ldv * 2);
  const auto S = host(s, rank);
  double far = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) {
      double re = A[j * lda + i].x, im = A[j * lda + i].y;
      for (int k = 0; k < rank; ++k) {
        const T x = U[k * ldu + i], y = V[k * ldv + j];
        re -= S[k] * (x.x * y.x + x.y * y.y), im -= S[k] * (x.y * y.x - x.x * y.y);
      }
      far = std::fmax(far, std::hypot(re, im));
    }
  return far;
}
int main() {
  cusolverDnHandle_t h;
  CALL(cusolverDnCreate(&h));
  syevjInfo_t e;
  gesvdjInfo_t g;
  CALL(cusolverDnCreateSyevjInfo(&e)); CALL(cusolverDnXsyevjSetTolerance(e, 1e-9));
  CALL(cusolverDnXsyevjSetMaxSweeps(e, 15)); CALL(cusolverDnXsyevjSetSortEig(e, 1));
  CALL(cusolverDnCreateGesvdjInfo(&g)); CALL(cusolverDnXgesvdjSetMaxSweeps(g, 15));
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const auto V = CUSOLVER_EIG_MODE_VECTOR;
  int length = 0, *info = device<int>({-1, -1});
  double *a = device<double>({4, 1, 2, 1, 5, 3, 2, 3, 6}), *w = device(std::vector<double>(6)), *work;
  CALL(cusolverDnDsyevj_bufferSize(h, V, low, 3, a, 3, w, &length, e));
  cudaMalloc(&work, length * sizeof *work);
  CALL(cusolverDnDsyevj(h, V, low, 3, a, 3, w, work, length, info, e));
  print("syevj", w, 3), print("info", info, 1);
  double* two = device<double>({2, 0, 0, 0, 2, 0, 0, 0, 2});
  a = device<double>({4, 1, 2, 1, 5, 3, 2, 3, 6});
  CALL(cusolverDnDsygvj(h, CUSOLVER_EIG_TYPE_1, V, low, 3, a, 3, two, 3, w, work, length, info, e));
  print("sygvj", w, 3);
  a = device<double>({2, 1, 1, 2, 5, 0, 0, 1});
  CALL(cusolverDnDsyevjBatched(h, V, low, 2, a, 2, w, work, length, info, e, 2));
  print("batch", w, 4), print("info", info, 2);
  using Z = cuDoubleComplex;
  const std::vector<Z> A{{1, 2}, {0, 1}, {3, 0}, {9, 9}, {0, -1}, {2, 0}, {1, 1}, {9, 9}};
  Z *u = device(std::vector<Z>(18)), *v = device(std::vector<Z>(8)), *c = device(A);
  double* s = device(std::vector<double>(4));
  CALL(cusolverDnZgesvdj(h, V, 0, m, n, c, 4, s, u, 3, v, 2, nullptr, 0, info, g));
  printf("full %d\n", distance(A, 4, u, 3, s, v, 2, 2) < 1e-12);
  // A wide matrix is allowed, too: A^T's singular values are A's.
  const double first = host(s, 1)[0];
  std::vector<Z> At;
  for (int i = 0; i < m; ++i)
    for (int j = 0; j < n; ++j) At.push_back(A[j * 4 + i]);
  CALL(cusolverDnZgesvdj(h, V, 1, n, m, device(At), n, s, u, 2, v, 3, nullptr, 0, info, g));
  printf("wide %d\n", std::fabs(host(s, 1)[0] - first) < 1e-12);
  double lost[2];
  CALL(cusolverDnZgesvdaStridedBatched(h, V, 1, m, n, device(A), 4, 0, s, 1, u, 3, 3, v, 2, 2, nullptr,
         0, info, lost, 2));
  const double away = distance(A, 4, u + 3, 3, s + 1, v + 2, 2, 1);
  printf("rank 1 %d %d\n", away > 0.1 && away <= lost[1] + 1e-12, lost[0] == lost[1]);
  double residual = -1;
  int sweeps = -1;
  CALL(cusolverDnXgesvdjGetResidual(h, g, &residual)); CALL(cusolverDnXgesvdjGetSweeps(h, g, &sweeps));
  printf("%g %d\n", residual, sweeps);
  CALL(cusolverDnDestroySyevjInfo(e)); CALL(cusolverDnDestroyGesvdjInfo(g));
}
)cu",
                         "-lcusolver");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "syevj 2.1944 3.3868 9.4188\ninfo 0\nsygvj 1.0972 1.6934 4.7094\nbatch 1 3 1 5\ninfo 0 0\nfull 1\n"
        "wide 1\nrank 1 1 1\n0 1\n");
  CHECK(has(s.err, "cusolverDnZgesvdj is computed on the host: it is not simulated"));
}

TEST_CASE("exec: cuSOLVER selects eigenvalues, solves general eigenproblems and inverts triangles") {
  if (needs::left_out_without(what_solves, can_solve())) return;
  const ExecBench b;
  const Shell s = solved(b, R"cu(#include <cusolverDn.h>
int main() {
  cusolverDnHandle_t h;
  cusolverDnParams_t p;
  CALL(cusolverDnCreate(&h)); CALL(cusolverDnCreateParams(&p));
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const auto V = CUSOLVER_EIG_MODE_VECTOR, none = CUSOLVER_EIG_MODE_NOVECTOR;
  int found = -1, *info = device<int>({-1});
  const std::vector<double> D{1, 0, 0, 0, 2, 0, 0, 0, 3};
  double *a = device(D), *w = device(std::vector<double>(3));
  CALL(cusolverDnDsyevdx(h, V, CUSOLVER_EIG_RANGE_I, low, 3, a, 3, 0, 0, 2, 3, &found, w, nullptr, 0,
         info));
  printf("found %d\n", found), print("values", w, 2), print("vectors", a, 6);
  a = device(D);
  double from = 1, to = 2;  // (1, 2]
  int64_t wide = -1;
  CALL(cusolverDnXsyevdx(h, p, V, CUSOLVER_EIG_RANGE_V, low, 3, CUDA_R_64F, a, 3, &from, &to, 0, 0, &wide,
                         CUDA_R_64F, w, CUDA_R_64F, nullptr, 0, nullptr, 0, info));
  printf("found %d\n", int(wide)), print("values", w, 1);
  printf("%d\n", cusolverDnDsyevdx(h, V, CUSOLVER_EIG_RANGE_I, low, 3, a, 3, 0, 0, 3, 4, &found, w,
         nullptr, 0, info) ==
                     CUSOLVER_STATUS_INVALID_VALUE);
  // 0 -2 / 2 0 has the eigenvalues 2i and -2i.
  a = device<double>({0, 2, -2, 0});
  double *pair = device(std::vector<double>(4)), *x = device(std::vector<double>(8));
  CALL(cusolverDnXgeev(h, p, none, V, 2, CUDA_R_64F, a, 2, CUDA_C_64F, pair, CUDA_R_64F, nullptr, 1,
         CUDA_C_64F, x, 2,
                       CUDA_R_64F, nullptr, 0, nullptr, 0, info));
  print("pair", pair, 4);
  const auto z = host(x, 8);  // A z = (-2 z1, 2 z0) = 2i z, which is 2 (-Im z, Re z)
  printf("vector %d\n", std::fabs(z[2] - z[1]) + std::fabs(z[3] + z[0]) < 1e-12 &&
                            std::fabs(std::hypot(std::hypot(z[0], z[1]), std::hypot(z[2],
                                   z[3])) - 1) < 1e-12);
  a = device<double>({0, 2, -2, 0});
  CALL(cusolverDnXgeev(h, p, none, V, 2, CUDA_R_64F, a, 2, CUDA_R_64F, pair, CUDA_R_64F, nullptr, 1,
         CUDA_R_64F, x, 2,
                       CUDA_R_64F, nullptr, 0, nullptr, 0, info));
  print("packed", pair, 4);
  const auto parts = host(x, 4);  // columns: the real and the imaginary part of the first vector
  printf("same vector %d\n", parts[0] == z[0] && parts[2] == z[1] && parts[1] == z[2] && parts[3] == z[3]);
  a = device<double>({2, 1, 7, 4});
  CALL(cusolverDnXtrtri(h, low, CUBLAS_DIAG_NON_UNIT, 2, CUDA_R_64F, a, 2, nullptr, 0, nullptr, 0, info));
  print("inverse", a, 4);
  // 3 0 / 0 1 by a randomised method: its greatest singular value.
  a = device<double>({3, 0, 0, 1});
  CALL(cusolverDnXgesvdr(h, p, 'S', 'S', 2, 2, 1, 0, 2, CUDA_R_64F, a, 2, CUDA_R_64F, w, CUDA_R_64F, x,
         2, CUDA_R_64F,
                         x + 4, 2, CUDA_R_64F, nullptr, 0, nullptr, 0, info));
  print("greatest", w, 1);
  // A call that cuSOLVER's header declares over two lines is refused with its name, too.
  cusolverDnIRSParams_t refined;
  return cusolverDnIRSParamsCreate(&refined) != CUSOLVER_STATUS_NOT_SUPPORTED;
}
)cu",
                         "-lcusolver");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "found 2\nvalues 2 3\nvectors 0 1 0 0 0 1\nfound 1\nvalues 2\n1\npair 0 2 0 -2\n"
        "vector 1\npacked 0 0 2 -2\nsame vector 1\n"
        "inverse 0.5 -0.125 7 0.25\ngreatest 3\n");
  CHECK(has(s.err, "cusolverDnIRSParamsCreate is not supported yet"));
}

TEST_CASE("exec: cuSOLVER solves sparse systems and orders their rows") {
  if (needs::left_out_without(what_solves, can_solve())) return;
  const ExecBench b;
  const Shell s = solved(b, R"cu(#include <cusolverSp.h>
#include <cusparse.h>
int main() {
  cusolverSpHandle_t h;
  cusparseMatDescr_t d;
  CALL(cusolverSpCreate(&h)); CALL(cusparseCreateMatDescr(&d));
  CALL(cusparseSetMatIndexBase(d, CUSPARSE_INDEX_BASE_ONE));
  // 4 0 0 1 / 0 3 0 0 / 0 0 2 0 / 1 0 0 5, counted from 1; x = 1 2 3 4.
  const std::vector<int> rows{1, 3, 4, 5, 7}, columns{1, 4, 2, 3, 1, 4};
  const std::vector<double> values{4, 1, 3, 2, 1, 5}, b{8, 6, 6, 21};
  int at = 7, *r = device(rows), *c = device(columns);
  double *v = device(values), *right = device(b), *x = device(std::vector<double>(4));
  CALL(cusolverSpDcsrlsvqr(h, 4, 6, d, v, r, c, right, 1e-12, 1, x, &at));
  print("qr", x, 4), printf("singular %d\n", at);
  CALL(cusolverSpDcsrlsvchol(h, 4, 6, d, v, r, c, right, 1e-12, 0, x, &at));
  print("cholesky", x, 4);
  std::vector<double> y(4);
  CALL(cusolverSpDcsrlsvluHost(h, 4, 6, d, values.data(), rows.data(), columns.data(), b.data(), 1e-12,
         2, y.data(), &at));
  printf("lu %g %g %g %g\n", y[0], y[1], y[2], y[3]);
  const std::vector<float> zero{4, 1, 3, 0, 1, 5}, side{8, 6, 6, 21};
  float* z = device(std::vector<float>(4));
  CALL(cusolverSpScsrlsvqr(h, 4, 6, d, device(zero), r, c, device(side), 1e-6f, 0, z, &at));
  printf("singular %d\n", at);
  // B = A(p, p) holds A's elements where p says.
  std::vector<int> p(4), to = rows, from = columns, map{0, 1, 2, 3, 4, 5};
  CALL(cusolverSpXcsrsymrcmHost(h, 4, 6, d, rows.data(), columns.data(), p.data()));
  size_t bytes = 0;
  CALL(cusolverSpXcsrperm_bufferSizeHost(h, 4, 4, 6, d, to.data(), from.data(), p.data(), p.data(),
         &bytes));
  CALL(cusolverSpXcsrpermHost(h, 4, 4, 6, d, to.data(), from.data(), p.data(), p.data(), map.data(),
         nullptr));
  double A[4][4] = {}, same = 1;
  int band = 0;
  for (int i = 0; i < 4; ++i)
    for (int e = rows[i] - 1; e < rows[i + 1] - 1; ++e) A[i][columns[e] - 1] = values[e];
  for (int i = 0; i < 4; ++i)
    for (int e = to[i] - 1; e < to[i + 1] - 1; ++e) {
      same = same && values[map[e]] == A[p[i]][p[from[e] - 1]];
      band = std::max(band, std::abs(from[e] - 1 - i));
    }
  int symmetric = -1;
  CALL(cusolverSpXcsrissymHost(h, 4, 6, d, to.data(), to.data() + 1, from.data(), &symmetric));
  printf("same %g band %d symmetric %d\n", same, band, symmetric);
}
)cu",
                         "-lcusolver -lcusparse");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "qr 1 2 3 4\nsingular -1\ncholesky 1 2 3 4\nlu 1 2 3 4\nsingular 2\nsame 1 band 1 symmetric 1\n");
}

TEST_CASE("exec: cuBLAS solves batches of triangles, and takes vectors and complex elements of each type") {
  if (needs::left_out_without(what_solves, can_solve())) return;
  const ExecBench b;
  const Shell s = solved(b, R"cu(#include <cublas_v2.h>
#include <cuda_fp16.h>
int main() {
  cublasHandle_t h;
  CALL(cublasCreate(&h));
  const auto L = CUBLAS_SIDE_LEFT;
  const auto low = CUBLAS_FILL_MODE_LOWER;
  const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T, C = CUBLAS_OP_C;
  const auto full = CUBLAS_DIAG_NON_UNIT;
  const double one = 1, none = 0;
  double *a = device<double>({2, 1, 9, 4}), *x = device<double>({2, 9}), *y = device<double>({4, 6});
  double **as = device<double*>({a, a}), **xs = device<double*>({x, y});
  CALL(cublasDtrsmBatched(h, L, low, N, full, 2, 1, &one, as, 2, xs, 2, 2));
  print("x", x, 2), print("y", y, 2);
  double *out = device<double>({0, 0, 0, 0}), **outs = device<double*>({out, out + 2});
  CALL(cublasDgemvBatched(h, T, 2, 2, &one, as, 2, xs, 1, &none, outs, 1, 2));
  print("gemv", out, 4);
  CALL(cublasDgemvStridedBatched(h, N, 2, 2, &one, a, 2, 0, out, 1, 2, &none, x, 1, 2, 1));
  print("strided", x, 2);
  using Z = cuDoubleComplex;
  const Z i{0, 1}, zero{0, 0}, unit{1, 0};
  Z *z = device<Z>({{1, 2}, {3, 4}}), *c = device<Z>({{0, 0}, {0, 0}}), **zs = device<Z*>({z}),
         **cs = device<Z*>({c});
  CALL(cublasZtrsmBatched(h, L, low, C, full, 1, 2, &unit, device<Z*>({device<Z>({{0, 2}})}), 1, zs, 1, 1));
  print("conjugate", (double*)z, 4);
  CALL(cublasZgeam(h, C, N, 1, 2, &i, z, 2, &zero, nullptr, 1, c, 1));
  print("geam", (double*)c, 4);
  CALL(cublasZdgmm(h, L, 1, 2, z, 1, device<Z>({{0, 1}}), 1, c, 1));
  print("dgmm", (double*)c, 4);
  CALL(cublasZgemm3m(h, N, N, 1, 1, 2, &unit, z, 1, z, 2, &zero, c, 1));
  print("gemm3m", (double*)c, 2);
  // Half vectors, whose scalars are float.
  float by = 2, result = 0, cosine = 0, sine = 1;
  __half* u = device<__half>({1, 2, 3});
  float* v = device<float>({10, 20, 30});
  CALL(cublasAxpyEx(h, 3, &by, CUDA_R_32F, u, CUDA_R_16F, -1, v, CUDA_R_32F, 1, CUDA_R_32F));
  print("axpy", v, 3);
  CALL(cublasDotEx(h, 3, u, CUDA_R_16F, 1, u, CUDA_R_16F, 1, &result, CUDA_R_32F, CUDA_R_32F));
  printf("dot %g\n", result);
  CALL(cublasScalEx(h, 2, &by, CUDA_R_32F, v, CUDA_R_32F, 2, CUDA_R_32F));
  print("scal", v, 3);
  CALL(cublasNrm2Ex(h, 2, device<float>({3, 4}), CUDA_R_32F, 1, &result, CUDA_R_32F, CUDA_R_32F));
  printf("norm %g\n", result);
  CALL(cublasRotEx(h, 1, v, CUDA_R_32F, 1, v + 1, CUDA_R_32F, 1, &cosine, &sine, CUDA_R_32F, CUDA_R_32F));
  print("rot", v, 2);
  __half *m = device<__half>({1, 2, 3, 4}), *p = device<__half>({0, 0, 0, 0}), **ms = device<__half*>({m}),
         **ps = device<__half*>({p});
  const __half h1 = 1, h0 = 0;
  CALL(cublasHgemmBatched(h, N, N, 2, 2, 2, &h1, ms, 2, ms, 2, &h0, ps, 2, 1));
  CALL(cublasGemmBatchedEx(h, N, N, 2, 2, 2, &by, (void**)ms, CUDA_R_16F, 2, (void**)ms, CUDA_R_16F, 2,
         &cosine,
                           (void**)ps, CUDA_R_16F, 2, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  printf("twice the square");
  for (__half e : host(p, 4)) printf(" %g", double(float(e)));
  cublasMath_t mode;
  CALL(cublasSetMathMode(h, CUBLAS_TF32_TENSOR_OP_MATH)); CALL(cublasGetMathMode(h, &mode));
  printf("\nmode %d\n", mode == CUBLAS_TF32_TENSOR_OP_MATH);
}
)cu",
                         "-lcublas");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "x 1 2\ny 2 1\ngemv 4 17 5 22\nstrided 161 72\nconjugate -1 0.5 -2 1.5\ngeam 0.5 -1 1.5 -2\n"
        "dgmm -0.5 -1 -1.5 -2\ngemm3m 2.5 -7\naxpy 16 24 32\ndot 14\nscal 32 24 64\nnorm 5\nrot 24 -32\n"
        "twice the square 14 20 30 44\nmode 1\n");
}
