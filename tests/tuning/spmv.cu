// sparse/6-segments and sparse/9-open beside cuSPARSE on three matrices from a seeded generator: power law, uniform, banded.
//   nvcc -O3 -std=c++17 -arch=sm_90 --default-stream per-thread spmv.cu -o spmv -lcusparse && ./spmv
// Microseconds, medians of 25 replays of a graph of 2 rounds over copies of the matrix that exceed the L2 together. Every result is compared
// with sums in double. `preprocessed`: after cusparseSpMV_preprocess, whose time is not counted.
#include <cusparse.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <random>
#include <string>
#include <tuple>
#include <vector>

// The references launch into the default stream, which is the thread's here and can be captured. cudaMemset can't.
#pragma push_macro("cudaMemset")
#undef cudaMemset
#define cudaMemset(p, value, bytes) cudaMemsetAsync(p, value, bytes, cudaStreamPerThread)
namespace segments {
#include "../../reference/21-sparse/6-segments.cu"
}
namespace fast {
#include "../../reference/21-sparse/9-open.cu"
}
#pragma pop_macro("cudaMemset")

static void must(int error, const char* what) {
  if (error != 0) {
    printf("%s: error %d\n", what, error);
    exit(1);
  }
}

struct Matrix {
  std::vector<int> start = {0}, col;
  std::vector<float> value, x;
  std::vector<double> y, tolerance;
  int rows = 0;
};

static Matrix make(const std::string& kind, int n) {
  std::mt19937 random(1);
  const auto below = [&](int m) { return int(random() % unsigned(m)); };
  Matrix a;
  a.rows = n;
  std::vector<int> rank(n);
  for (int i = 0; i < n; ++i) {
    rank[i] = i + 1;
    std::swap(rank[i], rank[below(i + 1)]);
  }
  for (int i = 0; i < n; ++i) {
    std::vector<int> c;
    const int length = kind == "uniform" ? 1 + below(12) : int((n + 2ll * rank[i] - 1) / (2ll * rank[i]));
    if (kind == "banded") {
      for (int j = std::max(0, i - 8); j <= std::min(n - 1, i + 8); ++j) c.push_back(j);
    } else if (length > n / 8) {
      for (int j = 0; j < n; ++j)
        if (below(n - j) < length - int(c.size())) c.push_back(j);
    } else {
      while (int(c.size()) < length) {
        while (int(c.size()) < length) c.push_back(below(n));
        std::sort(c.begin(), c.end());
        c.erase(std::unique(c.begin(), c.end()), c.end());
      }
    }
    a.col.insert(a.col.end(), c.begin(), c.end());
    a.start.push_back(int(a.col.size()));
  }
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (size_t k = 0; k < a.col.size(); ++k) a.value.push_back(uniform(random));
  for (int i = 0; i < n; ++i) a.x.push_back(uniform(random));
  for (int i = 0; i < n; ++i) {
    double sum = 0, magnitudes = 0;
    for (int k = a.start[i]; k < a.start[i + 1]; ++k) {
      const double term = double(a.value[k]) * a.x[a.col[k]];
      sum += term, magnitudes += std::fabs(term);
    }
    a.y.push_back(sum);
    a.tolerance.push_back(std::ldexp((a.start[i + 1] - a.start[i] + 1) * magnitudes, -24));
  }
  return a;
}

struct OnGpu {
  int *start, *col;
  float *value, *x, *y;
  cusparseSpMatDescr_t a;
  cusparseDnVecDescr_t vx, vy;
  void* memory;
};

template <class T>
static T* upload(const std::vector<T>& v) {
  T* p;
  must(cudaMalloc(&p, v.size() * sizeof(T)), "cudaMalloc");
  must(cudaMemcpy(p, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice), "cudaMemcpy");
  return p;
}

static double median(const std::function<void(size_t)>& product, size_t copies) {
  const cudaStream_t s = cudaStreamPerThread;
  cudaGraph_t g;
  cudaGraphExec_t e;
  must(cudaStreamBeginCapture(s, cudaStreamCaptureModeRelaxed), "capture");
  for (int round = 0; round < 2; ++round)
    for (size_t i = 0; i < copies; ++i) product(i);
  must(cudaStreamEndCapture(s, &g), "capture");
  must(cudaGraphInstantiate(&e, g, 0), "cudaGraphInstantiate");
  cudaEvent_t begin, end;
  cudaEventCreate(&begin), cudaEventCreate(&end);
  std::vector<float> times;
  for (int r = 0; r < 28; ++r) {
    cudaEventRecord(begin, s);
    must(cudaGraphLaunch(e, s), "cudaGraphLaunch");
    cudaEventRecord(end, s);
    must(cudaEventSynchronize(end), "replay");
    float ms;
    cudaEventElapsedTime(&ms, begin, end);
    if (r >= 3) times.push_back(ms * 1e3f / float(2 * copies));
  }
  std::sort(times.begin(), times.end());
  cudaGraphExecDestroy(e), cudaGraphDestroy(g);
  return times[times.size() / 2];
}

int main() {
  cudaDeviceProp p;
  must(cudaGetDeviceProperties(&p, 0), "no GPU");
  int version = 0;
  cusparseHandle_t h;
  must(cusparseCreate(&h), "cusparseCreate");
  cusparseGetVersion(h, &version);
  cusparseSetStream(h, cudaStreamPerThread);
  printf("# %s, spmv.cu, cuSPARSE %d: matrix, rows, non-zeros, way, us, results off\n", p.name, version);
  const float one = 1, zero = 0;
  const auto n_t = CUSPARSE_OPERATION_NON_TRANSPOSE;
  for (const auto& [kind, rows, copies] : {std::tuple{"power", 262139, 12}, {"uniform", 1048573, 5}, {"banded", 1048573, 3}}) {
    const Matrix a = make(kind, rows);
    const int nonzeros = int(a.col.size());
    std::vector<OnGpu> on(copies);
    for (OnGpu& m : on) {
      m = {upload(a.start), upload(a.col), upload(a.value), upload(a.x), upload(a.x), nullptr, nullptr, nullptr, nullptr};
    }
    const auto show = [&, kind = kind, rows = rows](const std::string& way, const std::function<void(size_t)>& product) {
      std::vector<float> y(a.rows);
      int off = 0;
      for (const size_t i : {size_t(0), on.size() - 1}) {
        must(cudaMemset(on[i].y, 0xff, y.size() * 4), "cudaMemset");
        product(i);
        must(cudaStreamSynchronize(cudaStreamPerThread), "product");
        must(cudaMemcpy(y.data(), on[i].y, y.size() * 4, cudaMemcpyDeviceToHost), "cudaMemcpy");
        for (int r = 0; r < a.rows; ++r) off += !(std::fabs(y[r] - a.y[r]) <= a.tolerance[r]);
      }
      printf("%s,%d,%d,%s,%.1f,%d\n", kind, rows, nonzeros, way.c_str(), median(product, on.size()), off);
      fflush(stdout);
    };
    show("6-segments", [&](size_t i) { segments::spmv(on[i].start, on[i].col, on[i].value, on[i].x, on[i].y, a.rows, nonzeros); });
    show("9-open", [&](size_t i) { fast::spmv(on[i].start, on[i].col, on[i].value, on[i].x, on[i].y, a.rows, nonzeros); });
    for (const auto& [name, way] : {std::pair{"default", CUSPARSE_SPMV_ALG_DEFAULT}, {"CSR_ALG1", CUSPARSE_SPMV_CSR_ALG1}, {"CSR_ALG2", CUSPARSE_SPMV_CSR_ALG2}})
      for (const bool preprocessed : {false, true}) {
        for (OnGpu& m : on) {
          must(cusparseCreateCsr(&m.a, rows, rows, nonzeros, m.start, m.col, m.value, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F), "cusparseCreateCsr");
          cusparseCreateDnVec(&m.vx, rows, m.x, CUDA_R_32F), cusparseCreateDnVec(&m.vy, rows, m.y, CUDA_R_32F);
          size_t need = 0;
          must(cusparseSpMV_bufferSize(h, n_t, &one, m.a, m.vx, &zero, m.vy, CUDA_R_32F, way, &need), "cusparseSpMV_bufferSize");
          must(cudaMalloc(&m.memory, need + 16), "cudaMalloc");
          if (preprocessed) must(cusparseSpMV_preprocess(h, n_t, &one, m.a, m.vx, &zero, m.vy, CUDA_R_32F, way, m.memory), "cusparseSpMV_preprocess");
        }
        show(std::string("cuSPARSE ") + name + (preprocessed ? " preprocessed" : ""), [&, way = way](size_t i) {
          must(cusparseSpMV(h, n_t, &one, on[i].a, on[i].vx, &zero, on[i].vy, CUDA_R_32F, way, on[i].memory), "cusparseSpMV");
        });
        for (OnGpu& m : on) cusparseDestroySpMat(m.a), cusparseDestroyDnVec(m.vx), cusparseDestroyDnVec(m.vy), cudaFree(m.memory);
      }
    for (OnGpu& m : on) cudaFree(m.start), cudaFree(m.col), cudaFree(m.value), cudaFree(m.x), cudaFree(m.y);
  }
}
