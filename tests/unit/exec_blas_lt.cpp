// The stand-in of cuBLASLt (app/exec/libraries/blas/lt_*.cpp) for `warpdojo exec`: products against plain
// loops, and statuses and a few values that cuBLASLt 13.1 gave on an H200.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_blas_lt.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: products of cuBLASLt, in both orders, transposed, in batches and of all types") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  const Shell s = run_lt(b, R"cu(
int bad = 0;
void one(cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, int orders, int batches) {
  Op op(ta, tb);
  Matrix a(F, op.ta ? k : m, op.ta ? m : k, 1, orders & 1, 2, batches), c(F, m, n, 3, orders & 4, 1, batches);
  Matrix b(F, op.tb ? n : k, op.tb ? k : n, 2, orders & 2, 0, batches), d(F, m, n, 4, orders & 4, 3, batches);
  const int status = op(2, a, b, .5, c, d);
  bad += status != 0 ||
         wrong(d, [&](int i, int j, int t) { return 2 * op.plain(a, b, i, j, t) + .5 * c(i, j, t); });
}
void typed(cudaDataType in, cudaDataType out, cublasComputeType_t compute, cudaDataType scale,
           double alpha = 1) {
  Op op(T, N, compute, scale);
  Matrix a(in, 32, 16, 1), b(in, 32, 8, 2), c(out == E4 ? B : out, 16, 8, 3), d(out, 16, 8, 4);
  const int status = op(alpha, a, b, 1, c, d);
  const auto rounded = [&](int i, int j, int) {
    char x[8];
    double v = alpha * op.plain(a, b, i, j) + c(i, j);
    if (out == I8) v = std::fmin(127, std::fmax(-128, std::nearbyint(v)));
    return put(x, out, v), get(x, out);
  };
  const int count = wrong(d, rounded);
  if (status || count) printf("type %d to %d: status %d, %d wrong\n", in, out, status, count);
}
int main() {
  cublasLtCreate(&h);
  for (int orders = 0; orders < 8; ++orders)
    for (int ops = 0; ops < 4; ++ops) one(ops & 1 ? T : N, ops & 2 ? T : N, 5, 7, 3, orders, 1);
  one(N, T, 70, 67, 33, 0, 1), one(T, N, 4, 6, 5, 0, 3), one(N, N, 9, 1, 130, 3, 2);
  printf("%d\n", bad);
  typed(F, F, CUBLAS_COMPUTE_32F_FAST_TF32, F), typed(D, D, CUBLAS_COMPUTE_64F, D);
  typed(H, H, CUBLAS_COMPUTE_32F, F, .125), typed(H, F, CUBLAS_COMPUTE_32F, F),
      typed(H, H, CUBLAS_COMPUTE_16F, H, .125);
  typed(B, B, CUBLAS_COMPUTE_32F, F, .125), typed(B, F, CUBLAS_COMPUTE_32F, F);
  typed(I8, I, CUBLAS_COMPUTE_32I, I), typed(I8, I8, CUBLAS_COMPUTE_32I, F, .25),
      typed(I8, F, CUBLAS_COMPUTE_32F, F);
  typed(E4, B, CUBLAS_COMPUTE_32F, F), typed(E4, E4, CUBLAS_COMPUTE_32F, F, .125);
  // Factors on the device; scales of fp8, and the largest value before D's scale.
  float *scales, host[6] = {3, 2, .5f, .25f, .125f, 0};
  cudaMalloc(&scales, sizeof host), cudaMemcpy(scales, host, sizeof host, cudaMemcpyHostToDevice);
  Matrix a(F, 4, 4, 1), b(F, 4, 4, 2), c(F, 4, 4, 3);
  Op on_device(N, N);
  on_device.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, int32_t(CUBLASLT_POINTER_MODE_DEVICE));
  const double first = 3 * on_device.plain(a, b, 0, 0) + 2 * c(0, 0);
  cublasLtMatmul(h, on_device.d, scales, a.d, a.layout, b.d, b.layout, scales + 1, c.d, c.layout, c.d,
                 c.layout, nullptr, nullptr, 0, 0);
  c.read();
  Matrix e(E4, 32, 16, 1), f(E4, 32, 16, 2), g(B, 16, 16, 3), out(E4, 16, 16, 4);
  Op fp8(T, N);
  fp8.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, scales + 2),
      fp8.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, scales + 3);
  fp8.set(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, scales + 4),
      fp8.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scales + 4);
  fp8.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, scales + 5);
  const int status = fp8(1, e, f, 1, g, out);
  cudaMemcpy(host, scales, sizeof host, cudaMemcpyDeviceToHost);
  double largest = 0;
  for (int i = 0; i < 256; ++i)
    largest = std::fmax(largest, std::fabs(fp8.plain(e, f, i / 16, i % 16) / 8 + g(i / 16, i % 16) / 8));
  printf("%d %d %d %d\n", c(0, 0) == first, status, host[5] == float(largest),
         wrong(
             out, [&](int i, int j, int) { return (fp8.plain(e, f, i, j) + g(i, j)) / 64; }, .0625));
  return cublasLtDestroy(h);
}
)cu");
  CHECK(s.status == 0);
  CHECK(s.out == "0\n1 0 1 0\n");
  CHECK(has(s.err, "cublasLtMatmul is computed on the host: it is not simulated"));
  CHECK(has(read_or_empty(b.t.path / "r.json"), "not_simulated"));
}

TEST_CASE("exec: epilogues of cuBLASLt add, activate, keep what the way back needs, and sum gradients") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  const Shell s = run_lt(b, R"cu(
double tanh_part(double x) { return std::tanh(std::sqrt(2 / M_PI) * (x + .044715 * x * x * x)); }
double gelu(double x) { return x / 2 * (1 + tanh_part(x)); }
double slope(double x) { return (gelu(x + 1e-5) - gelu(x - 1e-5)) / 2e-5; }
int main() {
  cublasLtCreate(&h);
  const int m = 16, n = 8, k = 24;
  Matrix a(F, m, k, 1), b(F, n, k, 2), c(F, m, n, 3), d(F, m, n, 4), bias(F, m, 1, 5), grad(F, m, 1, 6),
      aux(F, m, n, 7);
  std::vector<uint8_t> bits(16 * n, 0xaa);
  uint8_t* mask;
  cudaMalloc(&mask, bits.size()), cudaMemcpy(mask, bits.data(), bits.size(), cudaMemcpyHostToDevice);
  const auto run = [&](uint32_t epilogue, void* vector, void* kept, int64_t ld) {
    Op op(N, T);
    op.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue), op.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, vector);
    op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, kept), op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, ld);
    return op(.1, a, b, 0, c, d);
  };
  Op op(N, T);
  const auto x = [&](int i, int j) { return .1 * op.plain(a, b, i, j); };
  const auto y = [&](int i, int j) { return x(i, j) + bias(i, 0); };
  const auto report = [&](const char* name, int status, auto wanted) {
    printf("%s %d %d\n", name, status,
           wrong(
               d, [&](int i, int j, int) { return wanted(i, j); }, 1e-5));
  };
  report("bias", run(CUBLASLT_EPILOGUE_BIAS, bias.d, nullptr, 0), y);
  report("relu", run(CUBLASLT_EPILOGUE_RELU, nullptr, nullptr, 0),
         [&](int i, int j) { return std::fmax(0, x(i, j)); });
  report("gelu", run(CUBLASLT_EPILOGUE_GELU_BIAS, bias.d, nullptr, 0),
         [&](int i, int j) { return gelu(y(i, j)); });
  report("gelu aux", run(CUBLASLT_EPILOGUE_GELU_AUX_BIAS, bias.d, aux.d, m),
         [&](int i, int j) { return gelu(y(i, j)); });
  aux.read();
  printf("kept %d\n", wrong(
                          aux, [&](int i, int j, int) { return y(i, j); }, 1e-5));
  report("dgelu", run(CUBLASLT_EPILOGUE_DGELU_BGRAD, grad.d, aux.d, m),
         [&](int i, int j) { return x(i, j) * slope(aux(i, j)); });
  grad.read();
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += d(3, j);
  printf("sum %d\n", std::fabs(grad(3, 0) - sum) < 1e-5);
  report("relu aux", run(CUBLASLT_EPILOGUE_RELU_AUX_BIAS, bias.d, mask, 128),
         [&](int i, int j) { return std::fmax(0, y(i, j)); });
  cudaMemcpy(bits.data(), mask, bits.size(), cudaMemcpyDeviceToHost);
  int differ = 0, beside = bits[2];
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < m; ++i) differ += (bits[16 * j + i / 8] >> (i % 8) & 1) != (y(i, j) >= 0);
  printf("bits %d %x\n", differ, beside);
  report("drelu", run(CUBLASLT_EPILOGUE_DRELU, nullptr, mask, 128),
         [&](int i, int j) { return y(i, j) >= 0 ? x(i, j) : 0; });
  report("bgrada", run(CUBLASLT_EPILOGUE_BGRADA, grad.d, nullptr, 0), x);
  grad.read();
  sum = 0;
  for (int l = 0; l < k; ++l) sum += a(2, l);
  printf("rows of a %d\n", grad(2, 0) == sum);
  Matrix of_b(F, n, 1, 8);
  report("bgradb", run(CUBLASLT_EPILOGUE_BGRADB, of_b.d, nullptr, 0), x);
  of_b.read();
  sum = 0;
  for (int l = 0; l < k; ++l) sum += b(5, l);
  printf("columns of b %d\n", of_b(5, 0) == sum);
  return 0;
}
)cu");
  CHECK(s.status == 0);
  CHECK(s.out ==
        "bias 0 0\nrelu 0 0\ngelu 0 0\ngelu aux 0 0\nkept 0\ndgelu 0 0\nsum 1\nrelu aux 0 0\nbits 0 aa\n"
        "drelu 0 0\nbgrada 0 0\nrows of a 1\nbgradb 0 0\ncolumns of b 1\n");
}

TEST_CASE("exec: cuBLASLt's statuses, its attributes, and descriptors on the stack") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  const Shell s = run_lt(b, R"cu(
int main() {
  printf("%d ", cublasLtCreate(nullptr));
  cublasLtCreate(&h);
  Matrix a(F, 16, 16, 1), b(F, 16, 16, 2), c(F, 16, 16, 3), d(F, 16, 16, 4), row(F, 16, 16, 5, true),
      narrow(F, 16, 8, 6);
  Matrix half(H, 16, 16, 7), wide(D, 16, 16, 8), i8(I8, 16, 16, 9), odd(I8, 15, 15, 1), out(I, 15, 15, 1),
      e(E4, 16, 16, 1), bf(B, 16, 16, 1);
  Op op(N, N), turned(T, N), integers(T, N, CUBLAS_COMPUTE_32I, I), doubles(N, N, CUBLAS_COMPUTE_64F, D);
  // The heuristic's status in hundreds and the product's.
  printf("%d %d %d %d %d\n", op(1, a, b, 0, c, d), op(1, a, narrow, 0, c, d), op(1, a, half, 0, c, d),
         doubles(1, a, b, 0, c, d), op(1, a, b, 0, c, row));
  printf("%d %d %d %d\n", integers(1, odd, odd, 0, out, out), op(1, e, e, 0, bf, bf),
         turned(1, e, e, 0, bf, bf), op(1, half, half, 0, bf, bf));
  Op bias(N, N), vector(N, N);
  bias.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_BIAS),
      vector.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, 3);
  printf("%d %d ", bias(1, a, b, 0, c, d), vector(1, a, b, 0, c, d));
  bias.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, c.d),
      bias.set(CUBLASLT_MATMUL_DESC_EPILOGUE, CUBLASLT_EPILOGUE_RELU);
  printf("%d ", bias(1, a, b, 0, c, d));
  const float one = 1;
  printf("%d ", cublasLtMatmul(nullptr, op.d, &one, a.d, a.layout, b.d, b.layout, &one, c.d, c.layout, d.d,
                               d.layout, nullptr, nullptr, 0, 0));
  printf("%d ", cublasLtMatmul(h, op.d, &one, nullptr, a.layout, b.d, b.layout, &one, c.d, c.layout, d.d,
                               d.layout, nullptr, nullptr, 0, 0));
  printf("%d\n", cublasLtMatmul(h, op.d, &one, a.d, a.layout, b.d, b.layout, &one, c.d, c.layout, d.d,
                                d.layout, nullptr, nullptr, 9, 0));
  int32_t value = 0;
  size_t size = 0;
  printf("%d ", cublasLtMatmulDescSetAttribute(op.d, CUBLASLT_MATMUL_DESC_TRANSA, &value, 3));
  printf("%d ", cublasLtMatmulDescSetAttribute(op.d, CUBLASLT_MATMUL_DESC_TRANSA, nullptr, 4));
  printf("%d ", cublasLtMatmulDescGetAttribute(op.d, CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, nullptr, 0, &size));
  printf("%zu ", size);
  printf("%d ", cublasLtMatmulDescGetAttribute(op.d, CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, &value, 4, &size));
  printf("%d %s\n", value, cublasLtGetStatusName(CUBLAS_STATUS_NOT_SUPPORTED));
  // Descriptors on the stack, and a transform from columns to rows.
  cublasLtMatrixLayoutOpaque_t from, to;
  cublasLtMatrixTransformDescOpaque_t change;
  printf("%d ", cublasLtMatrixLayoutInit_internal(&from, 8, F, 3, 5, 3));
  cublasLtMatrixLayoutInit(&from, F, 3, 5, 16), cublasLtMatrixLayoutInit(&to, F, 3, 5, 5);
  value = CUBLASLT_ORDER_ROW;
  cublasLtMatrixLayoutSetAttribute(&to, CUBLASLT_MATRIX_LAYOUT_ORDER, &value, 4);
  cublasLtMatrixTransformDescInit(&change, F);
  const float two = 2;
  printf("%d ",
         cublasLtMatrixTransform(h, &change, &two, a.d, &from, nullptr, nullptr, nullptr, d.d, &to, 0));
  float got[6];
  cudaMemcpy(got, d.d, sizeof got, cudaMemcpyDeviceToHost);
  printf("%d\n", got[1] == 2 * a(0, 1) && got[4] == 2 * a(0, 4) && got[5] == 2 * a(1, 0));
  return cublasLtDestroy(h);
}
)cu");
  CHECK(s.status == 0);
  CHECK(s.out ==
        "7 0 707 707 1515 707\n1515 1515 0 1515\n7 1515 7 1 7 7\n7 7 0 8 0 -1 CUBLAS_STATUS_NOT_SUPPORTED\n3 "
        "0 1\n");
}
