// `exec`: incomplete factors, conversions and sparse vectors of cuSPARSE.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;

TEST_CASE("exec: cuSPARSE's incomplete factors of a matrix without fill-in are its factors") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cuda_runtime.h>
#include <cusparse.h>
#include <cmath>
#include <cstdio>
#include <vector>
constexpr int n = 4;
template <class T> static T* device(const std::vector<T>& v) {
  T* p;
  cudaMallocManaged(&p, v.size() * sizeof(T));
  for (size_t i = 0; i < v.size(); ++i) p[i] = v[i];
  return p;
}
int main() {
  cusparseHandle_t h;
  cusparseCreate(&h);
  // 4 on the diagonal, -1 beside it, from 1.
  int* rows = device<int>({1, 3, 6, 9, 11});
  int* columns = device<int>({1, 2, 1, 2, 3, 2, 3, 4, 3, 4});
  const std::vector<double> a = {4, -1, -1, 4, -1, -1, 4, -1, -1, 4};
  double *l = device(a), *lu = device(a);
  cusparseMatDescr_t d;
  cusparseCreateMatDescr(&d);
  cusparseSetMatIndexBase(d, CUSPARSE_INDEX_BASE_ONE);
  cusparseSetMatType(d, CUSPARSE_MATRIX_TYPE_GENERAL);
  csric02Info_t i;
  csrilu02Info_t u;
  cusparseCreateCsric02Info(&i);
  cusparseCreateCsrilu02Info(&u);
  const cusparseSolvePolicy_t p = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
  int bytes = 0, position = 7, zero = 7;
  cusparseDcsric02_bufferSize(h, n, 10, d, l, rows, columns, i, &bytes);
  cusparseDcsric02_analysis(h, n, 10, d, l, rows, columns, i, p, nullptr);
  cusparseDcsric02(h, n, 10, d, l, rows, columns, i, p, nullptr);
  cusparseDcsrilu02_analysis(h, n, 10, d, lu, rows, columns, u, p, nullptr);
  cusparseDcsrilu02(h, n, 10, d, lu, rows, columns, u, p, nullptr);
  const double second = std::sqrt(4 - 0.25);
  const auto near = [](double x, double y) { return std::abs(x - y) < 1e-12; };
  printf("%d %d %d %d\n", near(l[0], 2), near(l[2], -0.5), near(l[3], second), near(l[5] * l[3], -1));
  printf("%d %d %d\n", near(lu[2], -0.25), near(lu[3], 3.75), near(lu[5] * lu[3], -1));
  const cusparseStatus_t status = cusparseXcsric02_zeroPivot(h, i, &position);
  printf("%d %d\n", status, position);
  double* bad = device<double>({4, -1, -1, -4, -1, -1, 4, -1, -1, 4});
  cusparseDcsric02(h, n, 10, d, bad, rows, columns, i, p, nullptr);
  const bool found = cusparseXcsric02_zeroPivot(h, i, &zero) == CUSPARSE_STATUS_ZERO_PIVOT;
  printf("%d %d\n", found, zero);

  int *r = device<int>({2, 0, 1, 0}), *c = device<int>({0, 3, 1, 1}), *order = device<int>({9, 9, 9, 9});
  int* offsets = device<int>({9, 9, 9, 9});
  cusparseCreateIdentityPermutation(h, 4, order);
  cusparseXcoosortByRow(h, 3, 4, 4, r, c, order, nullptr);
  cusparseXcoo2csr(h, r, 4, 3, offsets, CUSPARSE_INDEX_BASE_ZERO);
  const auto show = [](const int* all, int count) {
    for (int k = 0; k < count; ++k) printf("%d", all[k]);
    printf(" ");
  };
  show(r, 4), show(c, 4), show(order, 4), show(offsets, 4);
  float *v = device<float>({1, 2, 3, 4}), *w = device<float>({0, 0, 0, 0});
  int *cs = device<int>({9, 9, 9, 9, 9}), *cr = device<int>({9, 9, 9, 9});
  cusparseCsr2cscEx2(h, 3, 4, 4, v, offsets, c, w, cs, cr, CUDA_R_32F, CUSPARSE_ACTION_NUMERIC,
                     CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG_DEFAULT, nullptr);
  show(cs, 5), show(cr, 4);
  printf("%g%g%g%g\n", w[0], w[1], w[2], w[3]);

  cusparseSpVecDescr_t x;
  cusparseDnVecDescr_t y;
  float *xs = device<float>({1, 2}), *ys = device<float>({1, 2, 3, 4}), dot = 0, co = 0.6f, si = 0.8f;
  cusparseCreateSpVec(&x, 4, 2, device<int>({1, 3}), xs, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                      CUDA_R_32F);
  cusparseCreateDnVec(&y, 4, ys, CUDA_R_32F);
  cusparseSpVV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y, &dot, CUDA_R_32F, nullptr);
  cusparseRot(h, &co, &si, x, y);
  printf("%g %.2f %.2f %.2f %.2f\n", dot, xs[0], xs[1], ys[1], ys[3]);

  // The offsets count the entries, not the number that the program says.
  cusparseSpMatDescr_t m;
  cusparseCreateCsr(&m, 3, 4, 9, offsets, device<int>({1, 3, 1, 0, 0, 0, 0, 0, 0}),
                    device<float>({1, 2, 3, 4, 5, 6, 7, 8, 9}), CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  float* out = device<float>({0, 0, 0});
  float* ones = device<float>({1, 1, 1, 1});
  cusparseDnVecDescr_t in, to;
  cusparseCreateDnVec(&in, 4, ones, CUDA_R_32F);
  cusparseCreateDnVec(&to, 3, out, CUDA_R_32F);
  const float one = 1, none = 0;
  cusparseSpMV(h, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, m, in, &none, to, CUDA_R_32F,
               CUSPARSE_SPMV_ALG_DEFAULT, out);
  printf("%g %g %g\n", out[0], out[1], out[2]);
}
)cu");
  const Shell s = b("$N -w -std=c++17 -cudart shared -o p p.cpp -lcusparse && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out ==
        "1 1 1 1\n1 1 1\n0 -1\n1 2\n0012 1310 3120 0234 01334 2010 4132\n10 2.20 4.40 0.40 0.80\n3 3 4\n");
  CHECK(test::has(s.err, "cusparseDcsric02 is computed on the host"));
}
