// `exec`: cuBLAS on complex numbers, against sums that the program makes itself.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;

TEST_CASE("exec: products, sums and norms of complex vectors and matrices") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <algorithm>
#include <complex>
#include "arrays.hpp"
using Z = std::complex<double>;
typedef cuDoubleComplex D;
static D* device(const std::vector<Z>& v) { return (D*)device<Z>(v); }
static std::vector<Z> back(const D* p, size_t n) { return host((const Z*)p, n); }
static Z op(const std::vector<Z>& a, int ld, cublasOperation_t o, int i, int j) {
  const Z v = o == CUBLAS_OP_N ? a[j * ld + i] : a[i * ld + j];
  return o == CUBLAS_OP_C ? std::conj(v) : v;
}
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  const int m = 3, n = 4, k = 5, ld = 6;
  std::vector<Z> a(ld * ld), b(ld * ld), c(ld * ld);
  for (int i = 0; i < ld * ld; ++i)
    a[i] = {i % 7 - 3.0, i % 5 * 0.5}, b[i] = {i % 3 - 1.0, 2.0 - i % 4}, c[i] = i;
  const Z alpha(0.5, -1), beta(2, 0.25);
  const cublasOperation_t ops[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
  D *da = device(a), *db = device(b);
  double worst = 0;
  for (cublasOperation_t p : ops)
    for (cublasOperation_t q : ops) {
      D* dc = device(c);
      if (cublasZgemm(h, p, q, m, n, k, (const D*)&alpha, da, ld, db, ld, (const D*)&beta, dc, ld))
        return 1;
      const std::vector<Z> out = back(dc, c.size());
      for (int j = 0; j < ld; ++j)
        for (int i = 0; i < ld; ++i) {
          Z want = c[j * ld + i];
          if (i < m && j < n) {
            Z sum = 0;
            for (int l = 0; l < k; ++l) sum += op(a, ld, p, i, l) * op(b, ld, q, l, j);
            want = alpha * sum + beta * want;
          }
          worst = std::max(worst, std::abs(out[j * ld + i] - want));
        }
    }
  printf("gemm %d\n", worst < 1e-12);
  worst = 0;
  for (cublasOperation_t p : ops) {
    D *dx = device(b), *dy = device(c);
    const int rows = p == CUBLAS_OP_N ? m : n, sums = p == CUBLAS_OP_N ? n : m;
    if (cublasZgemv(h, p, m, n, (const D*)&alpha, da, ld, dx, 2, (const D*)&beta, dy, -1))
      return 2;
    const std::vector<Z> out = back(dy, rows);
    for (int i = 0; i < rows; ++i) {
      Z sum = 0;
      for (int l = 0; l < sums; ++l) sum += op(a, ld, p, i, l) * b[2 * l];
      const Z want = alpha * sum + beta * c[rows - 1 - i];
      worst = std::max(worst, std::abs(out[rows - 1 - i] - want));
    }
  }
  printf("gemv %d\n", worst < 1e-12);
  Z u, v;
  double norm, sum;
  int at;
  cublasZdotu(h, 4, da, 1, db, 1, (D*)&u);
  cublasZdotc(h, 4, da, 1, db, 1, (D*)&v);
  cublasDznrm2(h, 4, da, 1, &norm);
  cublasDzasum(h, 4, da, 1, &sum);
  cublasIzamax(h, 4, da, 1, &at);
  Z wu = 0, wv = 0;
  for (int i = 0; i < 4; ++i) wu += a[i] * b[i], wv += std::conj(a[i]) * b[i];
  printf("dots %d %d, norm %g, sum %g, at %d\n", std::abs(u - wu) < 1e-12,
         std::abs(v - wv) < 1e-12, norm * norm, sum, at);
  cublasZaxpy(h, 4, (const D*)&alpha, da, 1, db, 1);
  const double twice = 2;
  cublasZdscal(h, 4, &twice, db, 1);
  printf("axpy %d\n", std::abs(back(db, 4)[3] - 2.0 * (alpha * a[3] + b[3])) < 1e-12);
  printf("%s %s\n", cublasGetStatusName(CUBLAS_STATUS_INVALID_VALUE),
         cublasGetStatusName(cublasZgemv(h, CUBLAS_OP_N, m, n, (const D*)&alpha,
                                         da, 1, db, 1, (const D*)&beta, db, 1)));
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcublas && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out ==
        "gemm 1\ngemv 1\ndots 1 1, norm 17.5, sum 9, at 1\naxpy 1\n"
        "CUBLAS_STATUS_INVALID_VALUE CUBLAS_STATUS_INVALID_VALUE\n");
  CHECK(test::has(s.err, "cublasZgemm is computed on the host"));
}

TEST_CASE("exec: real and complex calls of cuBLAS refuse the same leading dimensions") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cstdio>
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  float *s, one = 1;
  cuComplex *c, unit = {1, 0};
  cudaMalloc(&s, 64), cudaMalloc(&c, 64);
  cudaMemset(s, 0, 64), cudaMemset(c, 0, 64);
  const cublasOperation_t n = CUBLAS_OP_N, t = CUBLAS_OP_T;
  for (int ld : {0, 1, 2}) {
    printf("%d%d", cublasSgemv(h, n, 0, 1, &one, s, ld, s, 1, &one, s, 1),
           cublasCgemv(h, n, 0, 1, &unit, c, ld, c, 1, &unit, c, 1));
    printf(" %d%d", cublasSger(h, 2, 1, &one, s, 1, s, 1, s, ld),
           cublasCgeru(h, 2, 1, &unit, c, 1, c, 1, c, ld));
    printf(" %d%d", cublasSgemm(h, t, n, 1, 1, 2, &one, s, ld, s, 2, &one, s, 1),
           cublasCgemm(h, t, n, 1, 1, 2, &unit, c, ld, c, 2, &unit, c, 1));
    printf(" %d%d\n", cublasSgemm(h, n, n, 0, 0, 0, &one, s, 1, s, 1, &one, s, ld),
           cublasCgemm(h, n, n, 0, 0, 0, &unit, c, 1, c, 1, &unit, c, ld));
  }
  const cuComplex v[3] = {{3, -1}, {0, -0.5f}, {-2, 4}};
  int least = 0, most = 0;
  cudaMemcpy(c, v, sizeof v, cudaMemcpyHostToDevice);
  printf("%d %d", cublasIcamin(h, 3, c, 1, &least), cublasIcamax(h, 3, c, 1, &most));
  printf(" %d %d\n", least, most);
}
)cu");
  const Shell s = b("$N -cudart shared -o p p.cpp -lcublas && $W exec ./p");
  CHECK(s.out == "77 77 77 77\n00 77 77 00\n00 00 00 00\n0 0 2 3\n");
}
