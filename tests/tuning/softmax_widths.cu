// The open softmax references, forward and backward, at every width from 32 to 32768, beside cuDNN (instance mode) and a
// copy of as many bytes. Build and run on a real GPU:
//   nvcc -O3 -std=c++17 -arch=sm_90 --default-stream per-thread softmax_widths.cu -o softmax_widths -lcudnn && ./softmax_widths
// 49152 rows of half, one graph over sets of buffers that together are far larger than the L2, medians of 30 replays, each
// way in turn; rows picked at random are checked against double precision. softmax_peers.py times PyTorch in the same way.
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

namespace forward {
#include "../../reference/05-softmax/13-open.cu"
}
namespace backward {
#include "../../reference/05-softmax/13-open-backward.cu"
}

// The same with as many threads on an SM as fit, and with three quarters of them whatever the memory.
#define cudaDeviceGetAttribute(...)
namespace full_forward {
#include "../../reference/05-softmax/13-open.cu"
}
namespace full {
#include "../../reference/05-softmax/13-open-backward.cu"
}
#undef cudaDeviceGetAttribute
#define cudaDeviceGetAttribute(to, what, gpu) (void)(what == cudaDevAttrMaxSharedMemoryPerMultiprocessor ? (cudaDeviceGetAttribute)(to, what, gpu) : 0)
namespace fewer_forward {
#include "../../reference/05-softmax/13-open.cu"
}
namespace fewer {
#include "../../reference/05-softmax/13-open-backward.cu"
}
#undef cudaDeviceGetAttribute

static void must(int error, const char* what) {
  if (error) printf("%s failed: %d\n", what, error), exit(1);
}

constexpr int kRows = 49152;
static const cudaStream_t kStream = cudaStreamPerThread;

__global__ void fill(half* out, size_t n, unsigned seed, float low, float high) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    unsigned x = unsigned(i) * 2654435761u ^ unsigned(i >> 32) ^ seed;
    x ^= x >> 16, x *= 0x85ebca6bu, x ^= x >> 13, x *= 0xc2b2ae35u, x ^= x >> 16;
    out[i] = __float2half(low + (high - low) * float(x >> 8) / 16777216.0f);
  }
}

struct Set {
  half *x, *y, *dy, *dx;
};

struct Way {
  std::string name;
  std::function<void(const Set&)> run;
  double halves;  // moved for each element
  half* Set::*out;
  bool is_backward;
};

static std::vector<half> row_of(const half* matrix, int row, int cols) {
  std::vector<half> v(cols);
  must(cudaMemcpy(v.data(), matrix + size_t(row) * cols, cols * sizeof(half), cudaMemcpyDeviceToHost), "copy back");
  return v;
}

// Largest error of some rows, as a share of the row's largest result.
static double worst(const Set& s, const Way& w, int cols) {
  double most = 0;
  for (int k = 0; k < 24; ++k) {
    const int row = k == 0 ? 0 : k == 1 ? kRows - 1 : int((uint64_t(k) * 2654435761u) % kRows);
    std::vector<double> want(cols);
    if (w.is_backward) {
      const auto y = row_of(s.y, row, cols), dy = row_of(s.dy, row, cols);
      double dot = 0;
      for (int i = 0; i < cols; ++i) dot += double(__half2float(y[i])) * double(__half2float(dy[i]));
      for (int i = 0; i < cols; ++i) want[i] = double(__half2float(y[i])) * (double(__half2float(dy[i])) - dot);
    } else {
      const auto x = row_of(s.x, row, cols);
      double m = -1e300, sum = 0;
      for (int i = 0; i < cols; ++i) m = std::max(m, double(__half2float(x[i])));
      for (int i = 0; i < cols; ++i) sum += want[i] = std::exp(double(__half2float(x[i])) - m);
      for (double& v : want) v /= sum;
    }
    const auto got = row_of(s.*w.out, row, cols);
    double scale = 0, error = 0;
    for (int i = 0; i < cols; ++i) {
      scale = std::max(scale, std::fabs(want[i]));
      const double e = std::fabs(double(__half2float(got[i])) - want[i]);
      error = e > error || !(e == e) ? e : error;
    }
    most = !(error / scale <= most) ? error / scale : most;
  }
  return most;
}

int main() {
  cudaDeviceProp p;
  must(cudaGetDeviceProperties(&p, 0), "device");
  cudnnHandle_t dnn;
  must(cudnnCreate(&dnn), "cudnnCreate");
  must(cudnnSetStream(dnn, kStream), "cudnnSetStream");
  printf("# %s, cuDNN %zu, %d rows of half: columns, way, median us, quarter, three quarters, GB/s, worst error of the largest\n", p.name,
         cudnnGetVersion(), kRows);
  for (int cols = 32; cols <= 32768; cols *= 2) {
    const size_t n = size_t(kRows) * cols;
    const int sets = std::max<int>(2, std::min<size_t>(40, (size_t(400) << 20) / (n * 2)));
    std::vector<Set> all(sets);
    for (Set& s : all) {
      for (half** b : {&s.x, &s.y, &s.dy, &s.dx}) must(cudaMalloc(b, n * 2), "cudaMalloc");
      fill<<<2048, 256, 0, kStream>>>(s.x, n, 1, -4, 4);
      fill<<<2048, 256, 0, kStream>>>(s.dy, n, 3, -1, 1);
      forward::softmax(s.x, s.y, kRows, cols);
    }
    cudnnTensorDescriptor_t t;
    must(cudnnCreateTensorDescriptor(&t), "descriptor");
    must(cudnnSetTensor4dDescriptor(t, CUDNN_TENSOR_NCHW, CUDNN_DATA_HALF, kRows, cols, 1, 1), "descriptor");
    const float one = 1, zero = 0;
    std::vector<Way> ways = {
        {"copy", [&](const Set& s) { cudaMemcpyAsync(s.dx, s.x, n * 2, cudaMemcpyDeviceToDevice, kStream); }, 2, nullptr, false},
        {"forward, cuDNN", [&](const Set& s) { must(cudnnSoftmaxForward(dnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &one, t, s.x, &zero, t, s.y), "cudnnSoftmaxForward"); }, 2, &Set::y, false},
        {"forward, open", [&](const Set& s) { forward::softmax(s.x, s.y, kRows, cols); }, 2, &Set::y, false},
        {"backward, cuDNN", [&](const Set& s) { must(cudnnSoftmaxBackward(dnn, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_INSTANCE, &one, t, s.y, t, s.dy, &zero, t, s.dx), "cudnnSoftmaxBackward"); }, 3, &Set::dx, true},
        {"backward, open", [&](const Set& s) { backward::softmax_backward(s.y, s.dy, s.dx, kRows, cols); }, 3, &Set::dx, true},
    };
    // What else was tried, where it is another launch.
    auto tried = [&](const char* name, std::function<void(const Set&)> run) { ways.push_back({name, run, 2, &Set::y, false}); };
    auto tried_back = [&](const char* name, std::function<void(const Set&)> run) { ways.push_back({name, run, 3, &Set::dx, true}); };
    if (cols <= 4096) tried("forward, full SMs", [&](const Set& s) { full_forward::softmax(s.x, s.y, kRows, cols); });
    if (cols <= 4096) tried("forward, 1536 threads an SM", [&](const Set& s) { fewer_forward::softmax(s.x, s.y, kRows, cols); });
    if (cols <= 2048) tried_back("backward, 1536 threads an SM", [&](const Set& s) { fewer::softmax_backward(s.y, s.dy, s.dx, kRows, cols); });
    if (cols <= 2048) tried_back("backward, full SMs", [&](const Set& s) { full::softmax_backward(s.y, s.dy, s.dx, kRows, cols); });
    if (cols == 16384) tried("forward, 512 threads x 4 packs, 4 blocks", [&](const Set& s) { forward::block_kernel<512, 4, 4><<<kRows, 512>>>(s.x, s.y, cols); });
    if (cols == 4096) {
      tried_back("backward, 256 threads x 2 packs, 5 blocks", [&](const Set& s) { backward::block_kernel<256, 2, 4><<<kRows, 256, 44 << 10>>>(s.y, s.dy, s.dx, cols); });
      tried_back("backward, 256 threads x 2 packs", [&](const Set& s) { backward::block_kernel<256, 2, 4><<<kRows, 256>>>(s.y, s.dy, s.dx, cols); });
    }
    if (cols == 8192) tried_back("backward, 512 threads x 2 packs", [&](const Set& s) { backward::block_kernel<512, 2, 2><<<kRows, 512>>>(s.y, s.dy, s.dx, cols); });
    const int count = int(ways.size()), passes = std::max(sets, 4);
    std::vector<cudaGraphExec_t> graphs(ways.size());
    std::vector<double> errors(ways.size());
    for (int k = 0; k < count; ++k) {
      must(cudaMemset(all[0].dx, 0xff, n * 2), "poison");
      if (ways[k].out == &Set::y) must(cudaMemset(all[0].y, 0xff, n * 2), "poison");
      ways[k].run(all[0]);
      must(cudaStreamSynchronize(kStream), ways[k].name.c_str());
      if (ways[k].out) errors[k] = worst(all[0], ways[k], cols);
      cudaGraph_t g;
      must(cudaStreamBeginCapture(kStream, cudaStreamCaptureModeRelaxed), "capture");
      for (int i = 0; i < passes; ++i) ways[k].run(all[i % sets]);
      must(cudaStreamEndCapture(kStream, &g), "capture");
      must(cudaGraphInstantiate(&graphs[k], g, 0), "graph");
    }
    cudaEvent_t a, b;
    cudaEventCreate(&a), cudaEventCreate(&b);
    std::vector<std::vector<float>> us(count);
    for (int r = 0; r < 33; ++r)
      for (int k = 0; k < count; ++k) {
        cudaGraphLaunch(graphs[k], kStream);  // what the way before has left in the L2 is paid for here
        cudaEventRecord(a, kStream);
        cudaGraphLaunch(graphs[k], kStream);
        cudaEventRecord(b, kStream);
        must(cudaEventSynchronize(b), ways[k].name.c_str());
        float ms;
        cudaEventElapsedTime(&ms, a, b);
        if (r >= 3) us[k].push_back(ms * 1e3f / passes);
      }
    for (int k = 0; k < count; ++k) {
      std::sort(us[k].begin(), us[k].end());
      const float m = us[k][us[k].size() / 2];
      printf("%d,%s,%.2f,%.2f,%.2f,%.0f,%.2g\n", cols, ways[k].name.c_str(), m, us[k][us[k].size() / 4], us[k][us[k].size() * 3 / 4],
             ways[k].halves * 2 * n * 1e-3 / m, errors[k]);
      cudaGraphExecDestroy(graphs[k]);
    }
    fflush(stdout);
    for (Set& s : all)
      for (half* b : {s.x, s.y, s.dy, s.dx}) cudaFree(b);
  }
  return 0;
}
