// `exec`: cuBLAS on triangles that are stored whole, in bands and packed, against sums that the program makes
// itself.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using namespace dojo::exec_test;

TEST_CASE(
    "exec: cuBLAS on symmetric, Hermitian, triangular and banded matrices, in each way of storing them") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <complex>
#include <cstdio>
#include <functional>
#include <vector>
using Z = std::complex<double>;
typedef cuDoubleComplex D;
constexpr int n = 5, ld = 7;
typedef std::function<Z(int, int)> M;
static int failed = 0;
static void check(const char* what, bool right) {
  if (!right) printf("wrong: %s\n", what), ++failed;
}
static Z number(int i, int j) { return Z(1 + (i * 7 + j * 3) % 5 - j, (i * 3 + j * 5) % 7 - 3); }
template <class T> struct Array {
  T* p;
  explicit Array(size_t count) {
    cudaMallocManaged(&p, count * sizeof(T));
    for (size_t i = 0; i < count; ++i) p[i] = T(99);
  }
  T& operator[](size_t i) { return p[i]; }
  D* d() { return (D*)p; }
};
static bool low(cublasFillMode_t part) { return part == CUBLAS_FILL_MODE_LOWER; }
static bool inside(cublasFillMode_t part, int i, int j) { return low(part) ? i >= j : i <= j; }
template <class T> static T as(Z z) {
  if constexpr (sizeof(T) == sizeof(double)) return z.real(); else return z;
}
template <class T> static Array<T> whole(cublasFillMode_t part, M m) {
  Array<T> a(ld * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) if (inside(part, i, j)) a[j * ld + i] = as<T>(m(i, j));
  return a;
}
template <class T> static Array<T> packed(cublasFillMode_t part, M m) {
  Array<T> a(n * (n + 1) / 2);
  int k = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) if (inside(part, i, j)) a[k++] = as<T>(m(i, j));
  return a;
}
template <class T> static Array<T> band(cublasFillMode_t part, int width, M m) {
  Array<T> a(ld * n);
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i)
      if (inside(part, i, j) && std::abs(i - j) <= width)
        a[j * ld + (low(part) ? i - j : width + i - j)] = as<T>(m(i, j));
  return a;
}
template <class T> static Array<T> vector(int seed) {
  Array<T> v(2 * n);
  for (int i = 0; i < n; ++i) v[2 * i] = as<T>(number(i + seed, seed));
  return v;
}
template <class T> static bool is_product(M m, Z alpha, Z beta, Array<T>& y) {
  Array<T> x = vector<T>(1), before = vector<T>(2);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; ++i) {
    Z sum = 0;
    for (int j = 0; j < n; ++j) sum += m(i, j) * Z(x[2 * j]);
    if (std::abs(Z(y[2 * i]) - alpha * sum - beta * Z(before[2 * i])) > 1e-9) return false;
  }
  return true;
}
static bool is_triangle(cublasFillMode_t part, Array<Z>& a, M m, bool is_packed) {
  int k = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      if (!inside(part, i, j)) continue;
      const Z got = is_packed ? a[k++] : a[j * ld + i];
      if (std::abs(got - m(i, j)) > 1e-9) return false;
    }
  return true;
}
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  const Z alpha(2, -1), beta(0.5, 1);
  const double a1 = 2, b1 = -1;
  const D* al = (const D*)&alpha;
  const D* be = (const D*)&beta;
  const M hermitian = [](int i, int j) {
    return i == j ? Z(number(i, i).real()) : i > j ? number(i, j) : std::conj(number(j, i));
  };
  const M real = [](int i, int j) { return Z(number(std::max(i, j), std::min(i, j)).real()); };
  const auto narrow = [](M m) {
    return M([m](int i, int j) { return std::abs(i - j) <= 1 ? m(i, j) : Z(0); });
  };
  for (cublasFillMode_t part : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    Array<Z> x = vector<Z>(1), y = vector<Z>(2), y2 = vector<Z>(2), y3 = vector<Z>(2);
    cublasZhemv(h, part, n, al, whole<Z>(part, hermitian).d(), ld, x.d(), 2, be, y.d(), 2);
    check("hemv", is_product(hermitian, alpha, beta, y));
    cublasZhpmv(h, part, n, al, packed<Z>(part, hermitian).d(), x.d(), 2, be, y2.d(), 2);
    check("hpmv", is_product(hermitian, alpha, beta, y2));
    cublasZhbmv(h, part, n, 1, al, band<Z>(part, 1, hermitian).d(), ld, x.d(), 2, be, y3.d(), 2);
    check("hbmv", is_product(narrow(hermitian), alpha, beta, y3));
    Array<double> u = vector<double>(1), v = vector<double>(2);
    Array<double> v2 = vector<double>(2), v3 = vector<double>(2);
    cublasDsymv(h, part, n, &a1, whole<double>(part, real).p, ld, u.p, 2, &b1, v.p, 2);
    check("symv", is_product(real, a1, b1, v));
    cublasDspmv(h, part, n, &a1, packed<double>(part, real).p, u.p, 2, &b1, v2.p, 2);
    check("spmv", is_product(real, a1, b1, v2));
    cublasDsbmv(h, part, n, 1, &a1, band<double>(part, 1, real).p, ld, u.p, 2, &b1, v3.p, 2);
    check("sbmv", is_product(narrow(real), a1, b1, v3));
    Array<Z> w = vector<Z>(2), sq = whole<Z>(part, hermitian), pq = packed<Z>(part, hermitian);
    const M plus = [&](int i, int j) { return hermitian(i, j) + a1 * x[2 * i] * std::conj(x[2 * j]); };
    const M both = [&](int i, int j) {
      return plus(i, j) + alpha * x[2 * i] * std::conj(w[2 * j]) +
             std::conj(alpha) * w[2 * i] * std::conj(x[2 * j]);
    };
    cublasZher(h, part, n, &a1, x.d(), 2, sq.d(), ld), cublasZhpr(h, part, n, &a1, x.d(), 2, pq.d());
    check("her, hpr", is_triangle(part, sq, plus, false) && is_triangle(part, pq, plus, true));
    cublasZher2(h, part, n, al, x.d(), 2, w.d(), 2, sq.d(), ld);
    cublasZhpr2(h, part, n, al, x.d(), 2, w.d(), 2, pq.d());
    check("her2, hpr2", is_triangle(part, sq, both, false) && is_triangle(part, pq, both, true));
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C})
      for (cublasDiagType_t diagonal : {CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT}) {
        const M t = [&](int i, int j) {
          if (i == j && diagonal == CUBLAS_DIAG_UNIT) return Z(1);
          const int r = op == CUBLAS_OP_N ? i : j, c = op == CUBLAS_OP_N ? j : i;
          const Z e = inside(part, r, c) ? number(r, c) + Z(i == j ? 20 : 0) : Z(0);
          return op == CUBLAS_OP_C ? std::conj(e) : e;
        };
        const M stored = [](int i, int j) { return number(i, j) + Z(i == j ? 20 : 0); };
        Array<Z> r = vector<Z>(1), s = vector<Z>(1), q = vector<Z>(1), start = vector<Z>(1);
        Array<Z> A = whole<Z>(part, stored), P = packed<Z>(part, stored), B = band<Z>(part, 1, stored);
        cublasZtrmv(h, part, op, diagonal, n, A.d(), ld, r.d(), 2);
        cublasZtpmv(h, part, op, diagonal, n, P.d(), s.d(), 2);
        cublasZtbmv(h, part, op, diagonal, n, 1, B.d(), ld, q.d(), 2);
        check("trmv, tpmv", is_product(t, 1, 0, r) && is_product(t, 1, 0, s));
        check("tbmv", is_product(narrow(t), 1, 0, q));
        cublasZtrsv(h, part, op, diagonal, n, A.d(), ld, r.d(), 2);
        cublasZtpsv(h, part, op, diagonal, n, P.d(), s.d(), 2);
        cublasZtbsv(h, part, op, diagonal, n, 1, B.d(), ld, q.d(), 2);
        bool same = true;
        for (int i = 0; i < n; ++i)
          for (Array<Z>* e : {&r, &s, &q}) same = same && std::abs((*e)[2 * i] - start[2 * i]) < 1e-9;
        check("trsv, tpsv, tbsv", same);
        for (cublasSideMode_t side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
          Array<Z> from(ld * n), to(ld * n);
          for (int i = 0; i < ld * n; ++i) from[i] = number(i, 2);
          cublasZtrmm(h, side, part, op, diagonal, n, n, al, A.d(), ld, from.d(), ld, to.d(), ld);
          Z one = 0;
          for (int l = 0; l < n; ++l)
            one += side == CUBLAS_SIDE_LEFT ? t(3, l) * from[2 * ld + l] : from[l * ld + 3] * t(l, 2);
          const bool product = std::abs(to[2 * ld + 3] - alpha * one) < 1e-9;
          const Z back = 1.0 / alpha;
          cublasZtrsm(h, side, part, op, diagonal, n, n, (const D*)&back, A.d(), ld, to.d(), ld);
          check("trmm, trsm", product && std::abs(to[2 * ld + 3] - from[2 * ld + 3]) < 1e-9);
        }
      }
    Array<Z> f = whole<Z>(part, number), e(ld * n);
    for (int i = 0; i < ld * n; ++i) e[i] = number(i, 1), f[i] = number(i, 4);
    const auto cell = [](Array<Z>& a, int i, int j, cublasOperation_t op) {
      return op == CUBLAS_OP_N ? a[j * ld + i] : std::conj(a[i * ld + j]);
    };
    for (cublasOperation_t op : {CUBLAS_OP_N, CUBLAS_OP_C}) {
      const int k = 3;
      const M one = [&](int i, int j) {
        Z sum = 0;
        for (int l = 0; l < k; ++l) sum += cell(e, i, l, op) * std::conj(cell(e, j, l, op));
        return a1 * sum + b1 * hermitian(i, j);
      };
      const M two = [&](int i, int j) {
        Z sum = 0, other = 0;
        for (int l = 0; l < k; ++l) {
          sum += cell(e, i, l, op) * std::conj(cell(f, j, l, op));
          other += cell(f, i, l, op) * std::conj(cell(e, j, l, op));
        }
        return alpha * sum + std::conj(alpha) * other + b1 * hermitian(i, j);
      };
      Array<Z> c = whole<Z>(part, hermitian), d = whole<Z>(part, hermitian);
      cublasZherk(h, part, op, n, k, &a1, e.d(), ld, &b1, c.d(), ld);
      check("herk", is_triangle(part, c, one, false));
      cublasZher2k(h, part, op, n, k, al, e.d(), ld, f.d(), ld, &b1, d.d(), ld);
      check("her2k", is_triangle(part, d, two, false));
    }
    Array<Z> to(ld * n);
    for (int i = 0; i < ld * n; ++i) to[i] = number(i, 3);
    Z sum = beta * to[ld + 4];
    for (int l = 0; l < n; ++l) sum += alpha * hermitian(4, l) * e[ld + l];
    cublasZhemm(h, CUBLAS_SIDE_LEFT, part, n, n, al, whole<Z>(part, hermitian).d(), ld, e.d(), ld, be,
                to.d(), ld);
    check("hemm", std::abs(to[ld + 4] - sum) < 1e-9);
  }
  Array<double> g(ld * n), y = vector<double>(2), x = vector<double>(1);
  const M wide = [](int i, int j) { return i - j <= 1 && j - i <= 2 ? Z(number(i, j).real()) : Z(0); };
  for (int j = 0; j < n; ++j)
    for (int i = std::max(0, j - 2); i <= std::min(n - 1, j + 1); ++i)
      g[j * ld + 2 + i - j] = wide(i, j).real();
  cublasDgbmv(h, CUBLAS_OP_T, n, n, 1, 2, &a1, g.p, ld, x.p, 2, &b1, y.p, 2);
  check("gbmv", is_product(M([&](int i, int j) { return wide(j, i); }), a1, b1, y));
  double a = 3, b = 4, c = 0, s = 0, p[5] = {-1, 1, 2, 3, 4}, u[2] = {1, 2}, v[2] = {3, 4};
  cublasDrotg(h, &a, &b, &c, &s);
  cublasDrotm(h, 2, u, 1, v, 1, p);
  check("rotg", std::abs(a - 5) < 1e-12 && std::abs(c - 0.6) < 1e-12 && std::abs(s - 0.8) < 1e-12);
  check("rotm", u[0] == 10 && v[0] == 14 && u[1] == 14 && v[1] == 20);
  printf("%d wrong\n", failed);
}
)cu");
  const Shell s = b("$N -g -std=c++17 -cudart shared -o p p.cpp -lcublas && $W exec ./p");
  CHECK(s.status == 0);
  CHECK(s.out == "0 wrong\n");
  CHECK(test::has(s.err, "cublasZher2k is computed on the host"));
}
