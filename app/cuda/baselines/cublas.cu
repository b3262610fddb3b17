// cuBLAS beside the matmul lab. Matrices are row by row there and column by column in cuBLAS: C^T = B^T A^T.
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "common.cuh"

namespace baselines {
namespace {

cublasHandle_t handle(cudaStream_t s) {
  static cublasHandle_t h = [] {
    cublasHandle_t made = nullptr;
    cublasCreate(&made);
    return made;
  }();
  static void* workspace = [] {
    void* p = nullptr;
    cudaMalloc(&p, size_t(64) << 20);
    return p;
  }();
  cublasSetStream(h, s);
  cublasSetWorkspace(h, workspace, size_t(64) << 20);  // its own would be allocated inside the capture
  return h;
}

}  // namespace

int cublas_sgemm(const DojoBaselineCall* c, char* text, int bytes) {
  const int n = int(size_of(*c, "n")), m = int(size_of(*c, "m")), k = int(size_of(*c, "k"));
  const float one = 1, zero = 0;
  cublasHandle_t h = handle(stream(*c));
  cublasSetMathMode(h, CUBLAS_PEDANTIC_MATH);  // fp32, no tf32
  const int e = cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_N, m, n, k, &one, buffer<float>(*c, 1), m,
                            buffer<float>(*c, 0), k, &zero, buffer<float>(*c, 2), m);
  return e ? fail(text, bytes, "cublasSgemm", e) : 0;
}

// D = A B + C, half in, float out: cublasLt takes C and D apart.
int cublas_hgemm(const DojoBaselineCall* c, char* text, int bytes) {
  const int n = int(size_of(*c, "n")), m = int(size_of(*c, "m")), k = int(size_of(*c, "k"));
  static cublasLtHandle_t lt = [] {
    cublasLtHandle_t made = nullptr;
    cublasLtCreate(&made);
    return made;
  }();
  cublasLtMatmulDesc_t operation;
  cublasLtMatrixLayout_t a, b, d;
  cublasLtMatmulDescCreate(&operation, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatrixLayoutCreate(&b, CUDA_R_16F, m, k, m);
  cublasLtMatrixLayoutCreate(&a, CUDA_R_16F, k, n, k);
  cublasLtMatrixLayoutCreate(&d, CUDA_R_32F, m, n, m);
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulPreferenceCreate(&preference);
  const size_t workspace = size_t(32) << 20;
  cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, &workspace,
                                       sizeof workspace);
  cublasLtMatmulHeuristicResult_t best;
  int found = 0;
  int e = cublasLtMatmulAlgoGetHeuristic(lt, operation, b, a, d, d, preference, 1, &best, &found);
  void* memory = scratch(workspace);
  const float one = 1;
  if (!e && found && memory)
    e = cublasLtMatmul(lt, operation, &one, buffer<void>(*c, 1), b, buffer<void>(*c, 0), a, &one,
                       buffer<void>(*c, 2), d, buffer<void>(*c, 3), d, &best.algo, memory, workspace,
                       stream(*c));
  else if (!e)
    e = 1;
  cublasLtMatmulPreferenceDestroy(preference);
  cublasLtMatrixLayoutDestroy(a);
  cublasLtMatrixLayoutDestroy(b);
  cublasLtMatrixLayoutDestroy(d);
  cublasLtMatmulDescDestroy(operation);
  return e ? fail(text, bytes, "cublasLtMatmul", e) : 0;
}

int cublas_sgemv(const DojoBaselineCall* c, char* text, int bytes) {
  const int n = int(size_of(*c, "n")), k = int(size_of(*c, "k"));
  const float one = 1, zero = 0;
  const int e = cublasSgemv(handle(stream(*c)), CUBLAS_OP_T, k, n, &one, buffer<float>(*c, 0), k,
                            buffer<float>(*c, 1), 1, &zero, buffer<float>(*c, 2), 1);
  return e ? fail(text, bytes, "cublasSgemv", e) : 0;
}

int cublas_dot(const DojoBaselineCall* c, char* text, int bytes) {
  cublasHandle_t h = handle(stream(*c));
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE);
  const int e = cublasSdot(h, int(size_of(*c, "n")), buffer<float>(*c, 0), 1, buffer<float>(*c, 1), 1,
                           buffer<float>(*c, 2));
  cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST);
  return e ? fail(text, bytes, "cublasSdot", e) : 0;
}

}  // namespace baselines
