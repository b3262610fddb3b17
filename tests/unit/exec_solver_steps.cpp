// cuSOLVER's sparse systems in steps, and factors of matrices whose pattern is known (cusolverRf), for
// `warpdojo exec`.
#include <dlfcn.h>
#include <doctest/doctest.h>

#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;

namespace {

/// A system of five equations with a solution of 1, 2, 3, 4, 5; by rows, with numbers from 0.
constexpr const char* a_system = R"cu(#include <cuda_runtime.h>
#include <cusolverRf.h>
#include <cusolverSp.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>
#include <cusparse.h>
#include <complex>
#include "arrays.hpp"
const int n = 5, count = 13;
std::vector<int> rows{0, 3, 5, 8, 10, 13}, columns{0, 1, 4, 0, 1, 1, 2, 3, 2, 3, 0, 3, 4};
template <class T>
std::vector<T> product(const std::vector<T>& a) {
  std::vector<T> b(n);
  for (int i = 0; i < n; ++i)
    for (int e = rows[i]; e < rows[i + 1]; ++e) b[i] += a[e] * T(columns[e] + 1);
  return b;
}
template <class T>
void print(const char* name, int status, const T* x) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), x, n * sizeof(T), cudaMemcpyDefault);
  double off = 0;
  for (int i = 0; i < n; ++i) off = std::fmax(off, double(std::abs(v[i] - T(i + 1))));
  printf("%s %d %d\n", name, status, off < 1e-4);
}
)cu";

}  // namespace

TEST_CASE(
    "exec: sparse systems of cuSOLVER are solved in steps, on the host and the device, and in batches") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  if (needs::left_out_without("LAPACK (liblapack3)", dlopen("liblapack.so.3", RTLD_LAZY) != nullptr)) return;
  const ExecBench b;
  b.t.write("p.cpp", std::string(a_system) + R"cu(
int main() {
  cusolverSpHandle_t h;
  cusparseMatDescr_t d;
  cusolverSpCreate(&h), cusparseCreateMatDescr(&d);
  const std::vector<double> a{4, 1, 1, 1, 5, 2, 6, 1, 1, 7, 1, 2, 8};
  size_t internal = 0, work = 0;
  int position = 7;
  csrqrInfo_t qr;
  cusolverSpCreateCsrqrInfo(&qr);
  int *dr = device(rows), *dc = device(columns);
  double *da = device(a), *db = device(product(a)), *dx = device(std::vector<double>(n));
  cusolverSpXcsrqrAnalysis(h, n, n, count, d, dr, dc, qr);
  cusolverSpDcsrqrBufferInfo(h, n, n, count, d, da, dr, dc, qr, &internal, &work);
  cusolverSpDcsrqrSetup(h, n, n, count, d, da, dr, dc, 0, qr);
  cusolverSpDcsrqrFactor(h, n, n, count, nullptr, nullptr, qr, nullptr);
  cusolverSpDcsrqrZeroPivot(h, qr, 1e-12, &position);
  print("qr", cusolverSpDcsrqrSolve(h, n, n, db, dx, qr, nullptr), dx);
  printf("%d %d\n", position, internal > 0 && work > 0);
  // A - 4 I has a 0 in its first place, and another solution; a matrix of zeros has none.
  std::vector<double> shifted = a;
  shifted[0] -= 4, shifted[4] -= 4, shifted[6] -= 4, shifted[9] -= 4, shifted[12] -= 4;
  cusolverSpDcsrqrSetup(h, n, n, count, d, da, dr, dc, 4, qr);
  print("mu", cusolverSpDcsrqrSolve(h, n, n, device(product(shifted)), dx, qr, nullptr), dx);
  cusolverSpDcsrqrSetup(h, n, n, count, d, device(std::vector<double>(count)), dr, dc, 0, qr);
  cusolverSpDcsrqrZeroPivot(h, qr, 1e-12, &position);
  printf("%d\n", position >= 0);
  csrcholInfoHost_t host;
  cusolverSpCreateCsrcholInfoHost(&host);
  const std::vector<float> f(a.begin(), a.end());
  std::vector<float> right = product(f), x(n);
  cusolverSpXcsrcholAnalysisHost(h, n, count, d, rows.data(), columns.data(), host);
  cusolverSpScsrcholFactorHost(h, n, count, d, f.data(), rows.data(), columns.data(), host, nullptr);
  print("cholesky", cusolverSpScsrcholSolveHost(h, n, right.data(), x.data(), host, nullptr), x.data());
  std::vector<double> two = a, sides = product(a);
  for (double v : a) two.push_back(3 * v);
  for (int i = 0; i < n; ++i) sides.push_back(3 * sides[i]);
  double* out = device(std::vector<double>(2 * n));
  const int status =
      cusolverSpDcsrqrsvBatched(h, n, n, count, d, device(two), dr, dc, device(sides), out, 2, qr, nullptr);
  print("first", status, out), print("second", status, out + n);
  cusolverSpDestroyCsrqrInfo(qr), cusolverSpDestroyCsrcholInfoHost(host);
  return cusolverSpDestroy(h);
}
)cu");
  const Shell s = b("$N -g -std=c++17 -w -cudart shared -o p p.cpp -lcusolver -lcusparse && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "qr 0 1\n-1 1\nmu 0 1\n1\ncholesky 0 1\nfirst 0 1\nsecond 0 1\n");
}

TEST_CASE("exec: a pattern that LU factored once is factored again by cusolverRf") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  if (needs::left_out_without("LAPACK (liblapack3)", dlopen("liblapack.so.3", RTLD_LAZY) != nullptr)) return;
  const ExecBench b;
  b.t.write("p.cpp", std::string(a_system) + R"cu(
int main() {
  cusolverSpHandle_t h;
  cusparseMatDescr_t d;
  cusolverSpCreate(&h), cusparseCreateMatDescr(&d);
  // Its diagonal is small, so that other columns give pivots.
  std::vector<double> a{.1, 4, 1, 9, .2, 2, .1, 8, 7, .3, 1, 2, .5}, right = product(a), x(n);
  csrluInfoHost_t lu;
  cusolverSpCreateCsrluInfoHost(&lu);
  cusolverSpXcsrluAnalysisHost(h, n, count, d, rows.data(), columns.data(), lu);
  cusolverSpDcsrluFactorHost(h, n, count, d, a.data(), rows.data(), columns.data(), lu, 1, nullptr);
  int position = 7, of_l = 0, of_u = 0;
  cusolverSpDcsrluZeroPivotHost(h, lu, 1e-12, &position);
  print("lu", cusolverSpDcsrluSolveHost(h, n, right.data(), x.data(), lu, nullptr), x.data());
  cusolverSpXcsrluNnzHost(h, &of_l, &of_u, lu);
  std::vector<int> p(n), q(n), lr(n + 1), lc(of_l), ur(n + 1), uc(of_u);
  std::vector<double> lv(of_l), uv(of_u);
  // Indices of L and of U count from what their own descriptors say.
  cusparseMatDescr_t from_one;
  cusparseCreateMatDescr(&from_one), cusparseSetMatIndexBase(from_one, CUSPARSE_INDEX_BASE_ONE);
  cusolverSpDcsrluExtractHost(h, p.data(), q.data(), d, lv.data(), lr.data(), lc.data(), from_one, uv.data(),
                              ur.data(), uc.data(), lu, nullptr);
  // A(P, Q) is L U, element by element. L has ones on its diagonal, which it does not store.
  double off = 0;
  int moved = 0;
  for (int i = 0; i < n; ++i) {
    std::vector<double> wanted(n), got(n);
    for (int e = rows[p[i]]; e < rows[p[i] + 1]; ++e) wanted[columns[e]] = a[e];
    const auto add = [&](double by, int row) {
      for (int k = ur[row] - 1; k < ur[row + 1] - 1; ++k) got[uc[k] - 1] += by * uv[k];
    };
    for (int e = lr[i]; e < lr[i + 1]; ++e) add(lv[e], lc[e]);
    add(1, i);
    for (int j = 0; j < n; ++j) off = std::fmax(off, std::fabs(got[j] - wanted[q[j]]));
    moved += q[i] != i;
  }
  printf("%d %d %d\n", position, off<1e-12, moved> 0);
  cusolverRfHandle_t rf;
  cusolverRfCreate(&rf);
  cusolverRfSetMatrixFormat(rf, CUSOLVERRF_MATRIX_FORMAT_CSR, CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L);
  printf("%d ", cusolverRfRefactor(rf));
  cusolverRfSetupHost(n, count, rows.data(), columns.data(), a.data(), of_l, lr.data(), lc.data(), lv.data(),
                      of_u, ur.data(), uc.data(), uv.data(), p.data(), q.data(), rf);
  cusolverRfAnalyze(rf);
  int *dr = device(rows), *dc = device(columns), *dp = device(p), *dq = device(q);
  double* work = device(std::vector<double>(n));
  for (int round = 0; round < 2; ++round) {
    for (double& v : a) v *= 2, v += round;
    cusolverRfResetValues(n, count, dr, dc, device(a), dp, dq, rf);
    const int status = cusolverRfRefactor(rf);
    double* xf = device(product(a));
    print("again", 100 * status + cusolverRfSolve(rf, dp, dq, 1, work, n, xf, n), xf);
  }
  cusolverRfResetValues(n, count, dr, dc, device(std::vector<double>(count)), dp, dq, rf);
  printf("%d\n", cusolverRfRefactor(rf) == CUSOLVER_STATUS_ZERO_PIVOT);
  cusolverRfDestroy(rf), cusolverSpDestroyCsrluInfoHost(lu);
  return cusolverSpDestroy(h);
}
)cu");
  const Shell s = b("$N -g -std=c++17 -w -cudart shared -o p p.cpp -lcusolver -lcusparse && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "lu 0 1\n-1 1 1\n1 again 0 1\nagain 0 1\n1\n");
}

TEST_CASE("exec: cusolverRf takes pivots for zero and boosts them, as an H200's did") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cusolverRf.h>
#include "arrays.hpp"
void solve(std::vector<double> a, double zero, double boost) {
  int rows[] = {0, 2, 4}, columns[] = {0, 1, 0, 1}, l_rows[] = {0, 0, 1};
  int l_columns[] = {0}, u_rows[] = {0, 2, 3}, u_columns[] = {0, 1, 1}, order[] = {0, 1};
  double l[] = {.5}, u[] = {2, 1, 1.5};
  cusolverRfHandle_t h;
  cusolverRfCreate(&h);
  const int set = cusolverRfSetNumericProperties(h, zero, boost);
  cusolverRfSetupHost(2, 4, rows, columns, a.data(), 1, l_rows, l_columns, l, 3, u_rows,
                      u_columns, u, order, order, h);
  cusolverRfAnalyze(h);
  const int status = cusolverRfRefactor(h);
  int* p = device(std::vector<int>{0, 1});
  double x[2], *f = device(std::vector<double>{1, 2});
  const int solved = cusolverRfSolve(h, p, p, 1, f, 2, f, 2);
  cudaMemcpy(x, f, sizeof x, cudaMemcpyDeviceToHost);
  printf("%d %d %d: %.4f %.4f\n", set, status, solved, x[0] == x[0] ? x[0] : 99, x[1] == x[1] ? x[1] : 99);
  cusolverRfDestroy(h);
}
int main() {
  solve({4, 1, 1, 3}, 0, 0);
  solve({1e-3, 1, 1, 1}, 0, 0);
  solve({1e-3, 1, 1, 1}, 1e-2, 0);
  solve({1e-3, 1, 1, 1}, 1e-2, 5);
  solve({-1e-3, 1, 1, 1}, 1e-2, 5);
  solve({.5, 1, 1, 1}, .5, 5);
  solve({0, 1, 1, 1}, 0, 0);
  solve({.5, 1, 1, 2}, 1e-9, 5);
  solve({.5, 1, 1, 2}, 0, 0);
  solve({.5, 1, 1, 1}, 3, -5);
  double v[2];
  printf("%d %d %d %d\n", cusolverRfDestroy(nullptr), cusolverRfSetNumericProperties(nullptr, 0, 0),
         cusolverRfGetNumericProperties(nullptr, v, v + 1), cusolverRfRefactor(nullptr));
}
)cu");
  const Shell s = b("$N -std=c++17 -w -cudart shared -o p p.cpp -lcusolver && $W exec ./p");
  CHECK(s.status == 0);
  // 99 stands for a NaN.
  CHECK(s.out ==
        "0 0 0: 0.0909 0.6364\n0 0 0: 1.0010 0.9990\n0 10 0: 0.0000 1.0000\n0 0 0: 0.0000 1.0000\n"
        "0 0 0: 0.0000 1.0000\n0 0 0: 0.0000 1.0000\n0 10 0: 99.0000 1.0000\n0 0 0: 2.0000 0.0000\n"
        "0 10 0: 99.0000 99.0000\n3 0 0: 2.0000 -0.0000\n1 1 1 1\n");
}
