// Scales, largest values and auxiliary matrices of cuBLASLt's stand-in: values and statuses that
// cuBLASLt 13.1 gave on an H200.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_blas_lt.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: scales and largest values of cuBLASLt are what an H200 gave, or refused") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  const Shell s = run_lt(b, R"cu(
float* device(float v) {
  float* p;
  cudaMalloc(&p, 4), cudaMemcpy(p, &v, 4, cudaMemcpyHostToDevice);
  return p;
}
float host(const float* p) {
  float v;
  cudaMemcpy(&v, p, 4, cudaMemcpyDeviceToHost);
  return v;
}
struct All : Matrix {
  All(cudaDataType t, double value) : Matrix(t, 64, 64, 0) {
    for (int r = 0; r < 64; ++r)
      for (int c = 0; c < 64; ++c) put(at(r, c), t, value);
    cudaMemcpy(d, v.data(), v.size(), cudaMemcpyHostToDevice);
  }
};
using Attribute = cublasLtMatmulDescAttributes_t;
struct Set {
  Attribute attribute;
  float* value;
};
/// 64 times .5 by .25, and 3: the statuses and an element of D.
void one(cudaDataType in, cudaDataType out, std::vector<Set> sets, All* aux = nullptr, int aux_type = -1,
         cublasLtEpilogue_t epilogue = CUBLASLT_EPILOGUE_DEFAULT) {
  All a(in, .5), b(in, .25), c(out == E4 ? B : out, 3), d(out, 0);
  Op op(T, N);
  for (const Set& s : sets) op.set(s.attribute, s.value);
  op.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
  if (aux) op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, aux->d);
  if (aux) op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, int64_t(64));
  if (aux_type >= 0) op.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, int32_t(aux_type));
  const int status = op(1, a, b, 1, c, d);
  printf("%d %g", status, d(3, 5));
  if (aux) aux->read(), printf(" %g", (*aux)(3, 5));
  printf("\n");
}
int main() {
  cublasLtCreate(&h);
  float *two = device(2), *four = device(4), *most = device(-1);
  const Attribute c = CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, d = CUBLASLT_MATMUL_DESC_D_SCALE_POINTER,
                  largest = CUBLASLT_MATMUL_DESC_AMAX_D_POINTER,
                  given = CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER,
                  aux_scale = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER,
                  aux_largest = CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER;
  one(E4, E4, {{d, two}, {largest, most}});
  printf("largest %g\n", host(most));
  one(E4, E4, {{d, four}, {largest, most}}, nullptr, -1, CUBLASLT_EPILOGUE_GELU);
  printf("largest %g\n", host(most));
  for (cudaDataType out : {E4, B}) one(E4, out, {{c, two}});
  printf("refused\n");
  for (Attribute a : {c, d, largest, given, aux_scale, aux_largest}) one(B, B, {{a, two}});
  for (Attribute a : {d, largest}) one(E4, B, {{a, two}});
  for (Attribute a : {given, aux_scale, aux_largest}) one(E4, E4, {{a, two}});
  printf("auxiliary\n");
  const auto gelu = CUBLASLT_EPILOGUE_GELU_AUX;
  for (int type : {-1, int(B)}) {
    All aux(B, 0);
    one(E4, E4, {}, &aux, type, gelu);
  }
  All bytes(E4, 0), wide(B, 0);
  one(E4, E4, {}, &bytes, E4, gelu);
  one(E4, E4, {{aux_scale, two}}, &wide, B, gelu);
  one(B, B, {{aux_largest, two}}, &wide, B, gelu);
  return cublasLtDestroy(h);
}
)cu");
  CHECK(s.status == 0);
  std::string refused;
  for (int i = 0; i < 11; ++i) refused += "707 0\n";
  CHECK(s.out == "0 22\nlargest 11\n0 44\nlargest 11\n0 14\n0 14\nrefused\n" + refused +
                     "auxiliary\n0 11 11\n0 11 11\n707 0 0\n707 0 0\n707 0 0\n");
}
