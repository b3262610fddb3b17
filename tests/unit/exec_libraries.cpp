// Stand-ins of CUDA's libraries for `warpdojo exec` (app/exec/libraries): cuSPARSE and cuRAND. That of
// cuBLAS is tested in exec_formats.cpp, that of cuFFT in exec_fourier.cpp.
#include <doctest/doctest.h>

#include "../has.hpp"
#include "exec_bench.hpp"

using namespace dojo;
using dojo::test::has;
using namespace dojo::exec_test;

TEST_CASE("exec: sparse matrices of cuSPARSE are multiplied, solved and converted on the host") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cuda_runtime.h>
#include <cusparse.h>
#include "arrays.hpp"
int main() {
  const auto N = CUSPARSE_OPERATION_NON_TRANSPOSE, T = CUSPARSE_OPERATION_TRANSPOSE;
  const auto I = CUSPARSE_INDEX_32I;
  const auto zero = CUSPARSE_INDEX_BASE_ZERO;
  const auto F = CUDA_R_32F;
  float one = 1, two = 2, none = 0;
  cusparseHandle_t h;
  cusparseCreate(&h);
  // 1 0 2
  // 0 3 0
  // 4 0 5
  int *offsets = device<int>({0, 2, 3, 5}), *columns = device<int>({0, 2, 1, 0, 2});
  float* values = device<float>({1, 2, 3, 4, 5});
  cusparseSpMatDescr_t a;
  cusparseCreateCsr(&a, 3, 3, 5, offsets, columns, values, I, I, zero, F);
  float *x = device<float>({1, 2, 3}), *y = device<float>({1, 1, 1});
  cusparseDnVecDescr_t vx, vy;
  cusparseCreateDnVec(&vx, 3, x, F), cusparseCreateDnVec(&vy, 3, y, F);
  size_t bytes = 0;
  cusparseSpMV_bufferSize(h, N, &two, a, vx, &one, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, &bytes);
  cusparseSpMV(h, N, &two, a, vx, &one, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  print(y, 3);
  cusparseSpMV(h, T, &one, a, vx, &none, vy, F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  print(y, 3);
  float *bs = device<float>({1, 0, 1, 0, 1, 1}), *cs = device<float>({9, 9, 9, 9, 9, 9});
  cusparseDnMatDescr_t mb, mc;
  cusparseCreateDnMat(&mb, 3, 2, 3, bs, F, CUSPARSE_ORDER_COL);
  cusparseCreateDnMat(&mc, 3, 2, 2, cs, F, CUSPARSE_ORDER_ROW);
  cusparseSpMM(h, N, N, &one, a, mb, &none, mc, F, CUSPARSE_SPMM_ALG_DEFAULT, nullptr);
  print(cs, 6);
  // A A: its size is known only after the product.
  int* product_offsets = device<int>({0, 0, 0, 0});
  cusparseSpMatDescr_t p;
  cusparseCreateCsr(&p, 3, 3, 0, product_offsets, nullptr, nullptr, I, I, zero, F);
  cusparseSpGEMMDescr_t g;
  cusparseSpGEMM_createDescr(&g);
  for (void* buffer : {(void*)nullptr, (void*)x})
    cusparseSpGEMM_workEstimation(h, N, N, &one, a, a, &none, p, F, CUSPARSE_SPGEMM_DEFAULT, g, &bytes,
                                  buffer);
  for (void* buffer : {(void*)nullptr, (void*)x})
    cusparseSpGEMM_compute(h, N, N, &one, a, a, &none, p, F, CUSPARSE_SPGEMM_DEFAULT, g, &bytes, buffer);
  int64_t rows, cols, count;
  cusparseSpMatGetSize(p, &rows, &cols, &count);
  int* product_columns = device(std::vector<int>(count));
  float* product = device(std::vector<float>(count));
  cusparseCsrSetPointers(p, product_offsets, product_columns, product);
  cusparseSpGEMM_copy(h, N, N, &one, a, a, &none, p, F, CUSPARSE_SPGEMM_DEFAULT, g);
  print(product_offsets, 4), print(product_columns, count), print(product, count);
  // The lower triangle, and its transpose.
  cusparseFillMode_t lower = CUSPARSE_FILL_MODE_LOWER;
  cusparseSpMatSetAttribute(a, CUSPARSE_SPMAT_FILL_MODE, &lower, sizeof lower);
  cusparseSpSVDescr_t s;
  cusparseSpSV_createDescr(&s);
  for (auto op : {N, T}) {
    float* right = device(op == N ? std::vector<float>{1, 6, 9} : std::vector<float>{9, 6, 5});
    cusparseDnVecSetValues(vx, right);
    cusparseSpSV_solve(h, op, &one, a, vx, vy, F, CUSPARSE_SPSV_ALG_DEFAULT, s);
    print(y, 3);
  }
  // Dense to COO with indices from 1.
  double* dense = device<double>({0, 7, 8, 0});
  cusparseDnMatDescr_t md;
  cusparseCreateDnMat(&md, 2, 2, 2, dense, CUDA_R_64F, CUSPARSE_ORDER_ROW);
  int64_t *r = device<int64_t>({0, 0}), *c = device<int64_t>({0, 0});
  double* v = device<double>({0, 0});
  cusparseSpMatDescr_t coo;
  cusparseCreateCoo(&coo, 2, 2, 0, r, c, v, CUSPARSE_INDEX_64I, CUSPARSE_INDEX_BASE_ONE, CUDA_R_64F);
  cusparseDenseToSparse_analysis(h, md, coo, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr);
  cusparseDenseToSparse_convert(h, md, coo, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr);
  print(r, 2), print(c, 2), print(v, 2);
  cusparseSpVecDescr_t sparse;
  cusparseCreateSpVec(&sparse, 3, 1, columns, values, I, zero, F);
  const int half = cusparseSpMV(h, N, &one, p, vy, &none, vy, CUDA_R_16F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  printf("%d %d\n", cusparseSpMMOp_destroyPlan(nullptr), half);
  return cusparseDestroy(h);
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcusparse && $W exec ./p");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out ==
        "15 13 39 \n13 6 17 \n3 2 0 3 9 5 \n"
        "0 2 3 5 \n0 2 1 0 2 \n9 12 9 24 33 \n"
        "1 2 1 \n5 2 1 \n1 2 \n2 1 \n7 8 \n10 10\n");
  CHECK(has(s.err,
            "cusparseSpMMOp_destroyPlan is not supported yet and returns CUSPARSE_STATUS_NOT_SUPPORTED"));
  CHECK(has(s.err, "cusparseSpMV is computed on the host: it is not simulated"));
}

TEST_CASE("exec: cuRAND's distributions, seeds and offsets hold; the numbers are others") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cuda_runtime.h>
#include <curand.h>
#include <cmath>
#include <cstdio>
#include <vector>
const size_t n = 100000;
template <class T>
std::vector<T> host(const T* d) {
  std::vector<T> v(n);
  cudaMemcpy(v.data(), d, n * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
/// Are mean and deviation within five standard errors of what they should be?
template <class T>
void look(const char* name, const std::vector<T>& v, double mean, double deviation) {
  double sum = 0, squares = 0;
  for (T x : v) sum += x, squares += double(x) * x;
  const double m = sum / n, d = std::sqrt(squares / n - m * m);
  const double error = deviation / std::sqrt(double(n));
  const bool holds = std::fabs(m - mean) < 5 * error && std::fabs(d - deviation) < 5 * error;
  printf("%s %s\n", name, holds ? "holds" : "fails");
}
int main() {
  float* f;
  double* d;
  unsigned* u;
  cudaMalloc(&f, n * sizeof *f), cudaMalloc(&d, n * sizeof *d), cudaMalloc(&u, n * sizeof *u);
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(g, 7);
  curandGenerateUniform(g, f, n);
  const std::vector<float> first = host(f);
  bool inside = true;
  for (float x : first) inside = inside && x > 0 && x <= 1;
  printf("%d ", inside);
  look("uniform", first, 0.5, std::sqrt(1 / 12.));
  curandGenerateNormalDouble(g, d, n, 3, 2);
  look("normal", host(d), 3, 2);
  curandGenerateLogNormal(g, f, n, 0, 0.25f);
  look("log-normal", host(f), std::exp(0.03125), std::exp(0.03125) * std::sqrt(std::exp(0.0625) - 1));
  curandGeneratePoisson(g, u, n, 4);
  look("Poisson", host(u), 4, 2);
  curandSetPseudoRandomGeneratorSeed(g, 7);
  curandGenerateUniform(g, f, n);
  printf("%d ", host(f) == first);  // as before
  curandSetGeneratorOffset(g, 100);
  curandGenerateUniform(g, f, n);
  printf("%d ", host(f)[0] == first[100]);
  curandSetPseudoRandomGeneratorSeed(g, 8);
  curandGenerateUniform(g, f, n);
  printf("%d\n", host(f) == first);
  // More numbers than the host has memory for.
  if (curandGenerateUniform(g, f, size_t(1) << 62) != CURAND_STATUS_ALLOCATION_FAILED) return 2;
  curandGenerator_t quasi;
  curandCreateGenerator(&quasi, CURAND_RNG_QUASI_SOBOL32);
  return curandGeneratePoisson(quasi, u, n, 4) != CURAND_STATUS_TYPE_ERROR;
}
)cu");
  const Shell s = b("$N -g -cudart shared -o p p.cpp -lcurand && $W exec ./p");
  CAPTURE(s.err);
  CHECK(s.status == 0);
  CHECK(s.out == "1 uniform holds\nnormal holds\nlog-normal holds\nPoisson holds\n1 1 0\n");
  CHECK(has(s.err, "curandGeneratePoisson of a quasi-random generator is not supported yet"));
  CHECK(has(s.err, "curandGenerateUniform is computed on the host: it is not simulated"));
}

TEST_CASE("exec: cuRAND's quasi-random numbers are a Sobol sequence, spread evenly in every dimension") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  // Of 2^k points of one dimension each of 2^k intervals has one; the third dimension begins 0, 1/2, 1/4,
  // 3/4.
  b.t.write("p.cpp", R"cu(#include <cuda_runtime.h>
#include <curand.h>
#include <cmath>
#include <cstdio>
#include <set>
#include <vector>
int main() {
  const unsigned dimensions = 40, each = 256, n = dimensions * each;
  float* d;
  cudaMalloc(&d, n * sizeof(float));
  curandGenerator_t g;
  curandCreateGenerator(&g, CURAND_RNG_QUASI_SOBOL32);
  printf("%d\n", curandSetPseudoRandomGeneratorSeed(g, 1) == CURAND_STATUS_TYPE_ERROR);
  curandSetQuasiRandomGeneratorDimensions(g, dimensions);
  printf("%d\n", curandGenerateUniform(g, d, n - 1) == CURAND_STATUS_LENGTH_NOT_MULTIPLE);
  curandGenerateUniform(g, d, n);
  std::vector<float> h(n), more(n);
  cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  unsigned full = 0;
  for (unsigned k = 0; k < dimensions; ++k) {
    std::set<int> intervals;
    for (unsigned i = 0; i < each; ++i) intervals.insert(int(h[k * each + i] * each));
    full += intervals.size() == each;
  }
  printf("%u  %.3f %.3f %.3f %.3f\n", full, h[2 * each], h[2 * each + 1], h[2 * each + 2], h[2 * each + 3]);
  curandSetGeneratorOffset(g, 3);  // the same points, from the fourth on
  curandGenerateUniform(g, d, n);
  cudaMemcpy(more.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%d\n", more[5 * each] == h[5 * each + 3] && more[5 * each + 9] == h[5 * each + 12]);
  curandSetGeneratorOffset(g, 1);  // the first point is 0 in all dimensions
  curandGenerateNormal(g, d, n, 1, 2);
  cudaMemcpy(h.data(), d, n * sizeof(float), cudaMemcpyDeviceToHost);
  double sum = 0, squares = 0;
  for (float v : h) sum += v, squares += (v - 1) * (v - 1);
  printf("%d %d\n", std::fabs(sum / n - 1) < 0.02, std::fabs(squares / n - 4) < 0.3);
  curandDestroyGenerator(g);
  cudaFree(d);
}
)cu");
  const Shell s = b("$N -cudart shared -o p p.cpp -lcurand && $W exec ./p");
  CHECK(s.out == "1\n1\n40  0.000 0.500 0.250 0.750\n1\n1 1\n");
}

TEST_CASE("exec: statuses of cuBLAS and cuSPARSE have the libraries' names and words") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cublas_v2.h>
#include <cusparse.h>
#include <cstdio>
int main() {
  for (const int s : {0, 3, 8, 14, 15, 2})
    printf("%s: %s\n", cublasGetStatusName(cublasStatus_t(s)), cublasGetStatusString(cublasStatus_t(s)));
  for (const int s : {3, 11, 99})
    printf("%s: %s\n", cusparseGetErrorName(cusparseStatus_t(s)),
           cusparseGetErrorString(cusparseStatus_t(s)));
}
)cu");
  const Shell s = b("$N -cudart shared -o p p.cpp -lcublas -lcusparse && $W exec ./p");
  CHECK(s.out ==
        "CUBLAS_STATUS_SUCCESS: success\nCUBLAS_STATUS_ALLOC_FAILED: the resource allocation failed\n"
        "CUBLAS_STATUS_ARCH_MISMATCH: the function requires an architectural feature absent from the device\n"
        "CUBLAS_STATUS_INTERNAL_ERROR: an internal operation failed\n"
        "CUBLAS_STATUS_NOT_SUPPORTED: the requested functionality is not supported\n"
        "unrecognized status: unrecognized status\nCUSPARSE_STATUS_INVALID_VALUE: invalid value\n"
        "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES: insufficient resources\n"
        "unrecognized error code: unrecognized error code\n");
}

TEST_CASE("exec: cuBLAS factors, solves, inverts and multiplies batches") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  b.t.write("p.cpp", R"cu(#include <cublas_v2.h>
#include "arrays.hpp"
int main() {
  cublasHandle_t h;
  cublasCreate(&h);
  // By column: 0 2 / 1 3, whose rows must be swapped, and a singular matrix.
  const std::vector<double> first = {0, 1, 2, 3}, second = {1, 2, 2, 4};
  double *a = device(first), *s = device(second);
  double** as = device<double*>({a, s});
  int *pivots = device<int>({0, 0, 0, 0}), *info = device<int>({9, 9}), host_info = 9;
  cublasDgetrfBatched(h, 2, as, 2, pivots, info, 2);
  print(pivots, 2), print(info, 2), print(a, 4);
  double* x = device<double>({4, 7});  // of x = (1, 2)
  double** xs = device<double*>({x});
  cublasDgetrsBatched(h, CUBLAS_OP_N, 2, 1, as, 2, pivots, xs, 2, &host_info, 1);
  print(x, 2);
  x = device<double>({2, 8});  // of the transposed one
  xs = device<double*>({x});
  cublasDgetrsBatched(h, CUBLAS_OP_T, 2, 1, as, 2, pivots, xs, 2, &host_info, 1);
  print(x, 2);
  double *c = device<double>({9, 9, 9, 9}), *e = device<double>({9, 9, 9, 9}), *f = device(first);
  double **cs = device<double*>({c}), **es = device<double*>({e}), **fs = device<double*>({f});
  cublasDgetriBatched(h, 2, as, 2, pivots, cs, 2, info, 1);
  print(c, 4);
  const double one = 1, none = 0;
  cublasDgemmBatched(h, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, cs, 2, fs, 2, &none, es, 2, 1);
  print(e, 4);
  printf("%d\n", host_info);
}
)cu");
  const Shell s = b("$N -cudart shared -o p p.cpp -lcublas && $W exec ./p");
  CHECK(s.out == "2 2 \n0 2 \n1 0 3 2 \n1 2 \n1 2 \n-1.5 0.5 1 0 \n1 0 0 1 \n0\n");
}

TEST_CASE("exec: a call of a library that the host has no memory for returns the library's status") {
  if (needs::left_out_without(exec_built, has_exec())) return;
  if (needs::left_out_without("nvcc", has_nvcc())) return;
  const ExecBench b;
  // Elements that lie so far apart that no array of the host holds what is between them.
  b.t.write("p.cpp", R"cu(#include <cublasLt.h>
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <cufft.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <climits>
#include <cstdio>
int main() {
  float* p;
  cudaMalloc(&p, 1024);
  const float one = 1;
  cublasHandle_t blas;
  cublasCreate(&blas);
  printf("%d", cublasSaxpy(blas, INT_MAX, &one, p, INT_MAX, p, 1));
  printf(" %d", cublasStrsv(blas, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_UNIT, INT_MAX, p,
                            INT_MAX, p, 1));
  printf(" %d", cublasSaxpy(blas, 1, &one, p, 1, p, 1));
  cublasLtHandle_t lt;
  cublasLtCreate(&lt);
  cublasLtMatmulDesc_t op;
  cublasLtMatrixLayout_t layout;
  cublasLtMatmulDescCreate(&op, CUBLAS_COMPUTE_32F, CUDA_R_32F);
  cublasLtMatrixLayoutCreate(&layout, CUDA_R_32F, uint64_t(1) << 31, uint64_t(1) << 31, int64_t(1) << 31);
  printf(" %d", cublasLtMatmul(lt, op, &one, p, layout, p, layout, &one, p, layout, p, layout, nullptr,
                               nullptr, 0, nullptr));
  cusparseHandle_t sparse;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t x;
  cusparseCreate(&sparse);
  cusparseCreateCsr(&a, INT64_MAX, INT64_MAX, 0, p, p, p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                    CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F);
  cusparseCreateDnVec(&x, INT64_MAX, p, CUDA_R_32F);
  printf(" %d", cusparseSpMV(sparse, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, a, x, &one, x, CUDA_R_32F,
                             CUSPARSE_SPMV_ALG_DEFAULT, p));
  cufftHandle plan;
  long long n = 1ll << 61;
  size_t bytes;
  cufftCreate(&plan);
  cufftMakePlanMany64(plan, 1, &n, nullptr, 1, 0, nullptr, 1, 0, CUFFT_C2C, 1, &bytes);
  printf(" %d", cufftExecC2C(plan, (cufftComplex*)p, (cufftComplex*)p, CUFFT_FORWARD));
  cusolverDnHandle_t solver;
  cusolverDnCreate(&solver);
  printf(" %d\n", cusolverDnSpotrf(solver, CUBLAS_FILL_MODE_LOWER, INT_MAX, p, INT_MAX, p, 1, (int*)p));
}
)cu");
  const Shell s =
      b("$N -cudart shared -o p p.cpp -lcublas -lcublasLt -lcusparse -lcufft -lcusolver && $W exec ./p");
  CHECK(s.out == "3 3 0 3 2 2 2\n");
}
