#pragma once
// What programs of the cases of cuBLASLt's stand-in begin with, and how they are run.
#include "exec_bench.hpp"

namespace dojo::exec_test {

/// Matrices of any type and order, and one product; what each case of this file begins with.
inline constexpr const char* lt_program = R"cu(#include <cublasLt.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>
const auto N = CUBLAS_OP_N, T = CUBLAS_OP_T;
const auto F = CUDA_R_32F, D = CUDA_R_64F, H = CUDA_R_16F, B = CUDA_R_16BF, I8 = CUDA_R_8I, I = CUDA_R_32I;
const auto E4 = CUDA_R_8F_E4M3;
cublasLtHandle_t h;
size_t bytes(cudaDataType t) { return t == I8 || t == E4 ? 1 : t == H || t == B ? 2 : t == D ? 8 : 4; }
double get(const char* p, cudaDataType t) {
  if (t == I8) return *(const int8_t*)p;
  if (t == E4) return float(*(const __nv_fp8_e4m3*)p);
  if (t == H) return __half2float(*(const __half*)p);
  if (t == B) return __bfloat162float(*(const __nv_bfloat16*)p);
  if (t == I) return *(const int*)p;
  return t == D ? *(const double*)p : *(const float*)p;
}
void put(char* p, cudaDataType t, double v) {
  if (t == I8)
    *(int8_t*)p = int8_t(v);
  else if (t == E4)
    *(__nv_fp8_e4m3*)p = __nv_fp8_e4m3(float(v));
  else if (t == H)
    *(__half*)p = __float2half(float(v));
  else if (t == B)
    *(__nv_bfloat16*)p = __float2bfloat16(float(v));
  else if (t == I)
    *(int*)p = int(v);
  else if (t == D)
    *(double*)p = v;
  else
    *(float*)p = float(v);
}
/// A matrix on the device, with a copy on the host; element (r, c) of one of its batches.
struct Matrix {
  cudaDataType t;
  int rows, columns, ld, batches;
  bool by_row;
  std::vector<char> v;
  char* d = nullptr;
  cublasLtMatrixLayout_t layout;
  size_t stride() const { return size_t(ld) * (by_row ? rows : columns) + 3; }
  char* at(int r, int c, int b = 0) {
    return &v[bytes(t) * (b * stride() + (by_row ? size_t(r) * ld + c : size_t(c) * ld + r))];
  }
  double operator()(int r, int c, int b = 0) { return get(at(r, c, b), t); }
  Matrix(cudaDataType type, int m, int n, int seed, bool row = false, int pad = 0, int count = 1)
      : t(type), rows(m), columns(n), ld((row ? n : m) + pad), batches(count), by_row(row) {
    v.resize(bytes(t) * stride() * count);
    for (int b = 0; b < count; ++b)
      for (int c = 0; c < n; ++c)
        for (int r = 0; r < m; ++r) put(at(r, c, b), t, (r * 7 + c * 5 + b * 3 + seed) % 11 - 5);
    cudaMalloc(&d, v.size());
    cudaMemcpy(d, v.data(), v.size(), cudaMemcpyHostToDevice);
    cublasLtMatrixLayoutCreate(&layout, t, m, n, ld);
    const int32_t order = row ? CUBLASLT_ORDER_ROW : CUBLASLT_ORDER_COL;
    const int64_t step = stride();
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, sizeof order);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches, sizeof batches);
    cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &step, sizeof step);
  }
  void read() { cudaMemcpy(v.data(), d, v.size(), cudaMemcpyDeviceToHost); }
};
struct Op {
  cublasLtMatmulDesc_t d;
  cudaDataType scale;
  bool ta, tb;
  Op(cublasOperation_t a, cublasOperation_t b, cublasComputeType_t c = CUBLAS_COMPUTE_32F, cudaDataType s = F)
      : scale(s), ta(a != N), tb(b != N) {
    cublasLtMatmulDescCreate(&d, c, s);
    set(CUBLASLT_MATMUL_DESC_TRANSA, a), set(CUBLASLT_MATMUL_DESC_TRANSB, b);
  }
  template <class V>
  void set(cublasLtMatmulDescAttributes_t attribute, V v) {
    cublasLtMatmulDescSetAttribute(d, attribute, &v, sizeof v);
  }
  int operator()(double alpha, Matrix& a, Matrix& b, double beta, Matrix& c, Matrix& out) {
    char x[8], y[8];
    put(x, scale, alpha), put(y, scale, beta);
    cublasLtMatmulPreference_t p;
    cublasLtMatmulPreferenceCreate(&p);
    cublasLtMatmulHeuristicResult_t r;
    int found = 0;
    const int first =
        cublasLtMatmulAlgoGetHeuristic(h, d, a.layout, b.layout, c.layout, out.layout, p, 1, &r, &found);
    const int s = cublasLtMatmul(h, d, x, a.d, a.layout, b.d, b.layout, y, c.d, c.layout, out.d, out.layout,
                                 found ? &r.algo : nullptr, nullptr, 0, 0);
    cublasLtMatmulPreferenceDestroy(p);
    out.read();
    return first * 100 + s;
  }
  double plain(Matrix& a, Matrix& b, int i, int j, int batch = 0) {
    double sum = 0;
    for (int l = 0; l < (ta ? a.rows : a.columns); ++l)
      sum += (ta ? a(l, i, batch) : a(i, l, batch)) * (tb ? b(j, l, batch) : b(l, j, batch));
    return sum;
  }
};
template <class Wanted>
int wrong(Matrix& m, Wanted wanted, double bound = 1e-6) {
  int count = 0;
  for (int b = 0; b < m.batches; ++b)
    for (int i = 0; i < m.rows; ++i)
      for (int j = 0; j < m.columns; ++j)
        count += !(std::fabs(m(i, j, b) - wanted(i, j, b)) <= bound * (1 + std::fabs(wanted(i, j, b))));
  return count;
}
)cu";

inline Shell run_lt(const ExecBench& b, const std::string& body) {
  b.t.write("p.cpp", lt_program + body);
  return b("$N -O1 -std=c++17 -cudart shared -o p p.cpp -lcublasLt && $W exec --json r.json ./p");
}

}  // namespace dojo::exec_test
