// The two products of GPT-3's feed-forward layer on one GPU, E = (X[M x 12288] . W1[12288 x 6144]) . W2[6144 x 12288], half
// with float accumulation, in the ways in which a second kernel can follow a first: stream order, programmatic dependent
// launch, TileSync, RowSync (each with a wait kernel on a second stream, and with a programmatic launch in its place), and
// one persistent kernel for both. All with the same tile, so that they differ in synchronisation only; beside them cuBLAS.
//
//   nvcc -O3 -std=c++17 -gencode arch=compute_90a,code=sm_90a cusync_mlp.cu -o cusync_mlp -lcublas
//   ./cusync_mlp                      every kind of tile, M = 512, 1024, 1536, 2048
//   ./cusync_mlp --kind KIND [--m 1536,2048] [--repeats 40] [--group G] [--csv FILE]
//
// --group G: bands of rows done together, column by column (0: 512 rows). Kinds: cp, 128 x 256 x 64 by cp.async (hgemm.cu's tile); tma1, the same tile by TMA with warps that only load; tma2, the
// same in clusters of two blocks that share the columns' operand. Each kind runs in a process of its own: one that hangs or
// fails takes nothing else with it. Times are medians with a 95 % confidence interval (order statistics); the ways take
// turns within each repeat, buffers rotate, and every result is checked before and after it was timed.
#include <cublas_v2.h>
#include <unistd.h>

#include <cmath>
#include <cstring>

#include "cusync_ways.cuh"

constexpr int SETS = 3;                      // of buffers, in rotation

__global__ void fill(unsigned short* p, size_t n, unsigned seed, float scale) {
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    unsigned h = unsigned(i) * 2654435761u + seed;
    h ^= h >> 15, h *= 2246822519u, h ^= h >> 13, h *= 3266489917u, h ^= h >> 16;
    p[i] = __half_as_ushort(__float2half((float(h & 0xffff) / 32768.0f - 1.0f) * scale));
  }
}
/// How far e is from `right`, relative to |right| + rms: the largest over all, as the bits of a float in *worst.
__global__ void compare(const __half* e, const __half* right, size_t n, float rms, unsigned* worst) {
  float most = 0;
  for (size_t i = blockIdx.x * size_t(blockDim.x) + threadIdx.x; i < n; i += size_t(gridDim.x) * blockDim.x) {
    const float x = __half2float(e[i]), y = __half2float(right[i]), off = fabsf(x - y) / (fabsf(y) + rms);
    most = fmaxf(most, off == off ? off : 1e30f);
  }
  atomicMax(worst, __float_as_uint(most));
}

void cublas_pair(cublasHandle_t handle, cudaStream_t stream, int m, const Buffers& b) {
  const float one = 1, zero = 0;
  cublasSetStream(handle, stream);
  const cublasStatus_t s1 = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N1, m, K1, &one, b.w1, CUDA_R_16F, N1, b.x, CUDA_R_16F, K1, &zero,
                                         b.c, CUDA_R_16F, N1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  const cublasStatus_t s2 = cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, N2, m, N1, &one, b.w2, CUDA_R_16F, N2, b.c, CUDA_R_16F, N1, &zero,
                                         b.e, CUDA_R_16F, N2, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
  if (s1 != CUBLAS_STATUS_SUCCESS || s2 != CUBLAS_STATUS_SUCCESS) {
    printf("cublasGemmEx failed: %d %d\n", int(s1), int(s2));
    exit(1);
  }
}

/// Two rows of E in double precision on the host, C rounded to half as everywhere; the largest error of `e` relative to
/// |e| + rms.
double against_double(const Buffers& b, const __half* e, int m, double* rms) {
  std::vector<__half> x(size_t(m) * K1), w1(size_t(K1) * N1), w2(size_t(N1) * N2), got(size_t(m) * N2);
  CHECK(cudaMemcpy(x.data(), b.x, x.size() * 2, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(w1.data(), b.w1, w1.size() * 2, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(w2.data(), b.w2, w2.size() * 2, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(got.data(), e, got.size() * 2, cudaMemcpyDeviceToHost));
  double worst = 0, squares = 0;
  std::vector<std::vector<double>> right;
  const int rows[2] = {1, m - 3};
  for (int r : rows) {
    std::vector<double> c(N1, 0.0), out(N2, 0.0);
    for (int k = 0; k < K1; ++k) {
      const double v = __half2float(x[size_t(r) * K1 + k]);
      for (int n = 0; n < N1; ++n) c[n] += v * __half2float(w1[size_t(k) * N1 + n]);
    }
    for (int n = 0; n < N1; ++n) {
      const double v = __half2float(__float2half(float(c[n])));
      for (int j = 0; j < N2; ++j) out[j] += v * __half2float(w2[size_t(n) * N2 + j]);
    }
    for (double o : out) squares += o * o;
    right.push_back(std::move(out));
  }
  *rms = std::sqrt(squares / (2.0 * N2));
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < N2; ++j)
      worst = std::max(worst, std::fabs(__half2float(got[size_t(rows[i]) * N2 + j]) - right[i][j]) / (std::fabs(right[i][j]) + *rms));
  return worst;
}

struct Interval {
  double low, median, high;
};
Interval interval(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  const int n = int(v.size()), half = int(std::ceil(0.98 * std::sqrt(double(n))));  // 95 %: half the width in ranks
  return {v[std::max(0, n / 2 - half)], (v[(n - 1) / 2] + v[n / 2]) / 2, v[std::min(n - 1, n / 2 + half)]};
}

int measure(const std::string& kind, const std::vector<int>& ms, int repeats, int group, const char* csv) {
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  if (prop.major != 9) {
    printf("%s is no sm_90: the tiles use wgmma of that architecture\n", prop.name);
    return 1;
  }
  FILE* out = csv ? fopen(csv, "a") : nullptr;
  Streams s;
  CHECK(cudaStreamCreateWithFlags(&s.main, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&s.second, cudaStreamNonBlocking));
  CHECK(cudaEventCreateWithFlags(&s.fork, cudaEventDisableTiming));
  CHECK(cudaEventCreateWithFlags(&s.join, cudaEventDisableTiming));
  cublasHandle_t handle;
  cublasCreate(&handle);
  void* workspace = nullptr;
  CHECK(cudaMalloc(&workspace, 64 << 20));
  cublasSetWorkspace(handle, workspace, 64 << 20);
  unsigned *words = nullptr, *worst = nullptr;
  CHECK(cudaMalloc(&words, 4096 * sizeof(unsigned)));
  CHECK(cudaMemset(words, 0, 4096 * sizeof(unsigned)));
  CHECK(cudaMalloc(&worst, sizeof(unsigned)));
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  int wrong = 0;
  const int most_m = *std::max_element(ms.begin(), ms.end());
  std::vector<Buffers> sets(SETS);
  for (int i = 0; i < SETS; ++i) {
    Buffers& b = sets[i];
    CHECK(cudaMalloc(&b.x, size_t(most_m) * K1 * 2));
    CHECK(cudaMalloc(&b.w1, size_t(K1) * N1 * 2));
    CHECK(cudaMalloc(&b.w2, size_t(N1) * N2 * 2));
    CHECK(cudaMalloc(&b.c, size_t(most_m) * N1 * 2));
    CHECK(cudaMalloc(&b.e, size_t(most_m) * N2 * 2));
    fill<<<1024, 256>>>(reinterpret_cast<unsigned short*>(b.x), size_t(most_m) * K1, 11 + i, 1.0f);
    fill<<<1024, 256>>>(reinterpret_cast<unsigned short*>(b.w1), size_t(K1) * N1, 211 + i, 0.0625f);
    fill<<<1024, 256>>>(reinterpret_cast<unsigned short*>(b.w2), size_t(N1) * N2, 3011 + i, 0.0625f);
  }
  CHECK(cudaDeviceSynchronize());

  for (int m : ms) {
    printf("\nM = %d, tile %s\n", m, kind.c_str());
    std::vector<Way> ways;
    ways.push_back({"cuBLAS pair", [&, m](const Streams& st, int set) { cublas_pair(handle, st.main, m, sets[set]); }});
    if (kind == "cp") add_cp(ways, m, sets, words, group);
    else if (kind == "tma1") add_tma<1>(ways, m, sets, words, prop.multiProcessorCount, group);
    else add_tma<2>(ways, m, sets, words, prop.multiProcessorCount, group);

    // what is right: cuBLAS, itself checked against double precision
    const size_t count = size_t(m) * N2;
    std::vector<__half*> right(SETS);
    double rms = 0;
    for (int i = 0; i < SETS; ++i) {
      CHECK(cudaMalloc(&right[i], count * 2));
      cublas_pair(handle, s.main, m, sets[i]);
      CHECK(cudaStreamSynchronize(s.main));
      CHECK(cudaMemcpy(right[i], sets[i].e, count * 2, cudaMemcpyDeviceToDevice));
    }
    const double off = against_double(sets[0], right[0], m, &rms);
    printf("   cuBLAS against double precision, two rows: %.1e of |e| + rms (rms %.1f)\n", off, rms);
    if (off > 4e-3) ++wrong;
    // Both round to half once more, after sums of some 10^4 products in another order: 4e-3 is generous, and a tile that
    // was read too early is off by about 1, or not a number.
    auto check = [&](Way& w, bool poison) {
      for (int i = 0; i < SETS; ++i) {
        if (poison) {
          CHECK(cudaMemset(sets[i].c, 0xff, size_t(m) * N1 * 2));
          CHECK(cudaMemset(sets[i].e, 0xff, count * 2));
          CHECK(cudaDeviceSynchronize());
          w.run(s, i);
          CHECK(cudaStreamSynchronize(s.main));
        }
        CHECK(cudaMemset(worst, 0, sizeof(unsigned)));
        compare<<<1024, 256>>>(sets[i].e, right[i], count, float(rms), worst);
        unsigned bits;
        CHECK(cudaMemcpy(&bits, worst, sizeof bits, cudaMemcpyDeviceToHost));
        float value;
        memcpy(&value, &bits, sizeof value);
        w.worst = std::max(w.worst, double(value));
      }
    };
    for (Way& w : ways) {
      for (int again = 0; again < 2; ++again) check(w, true);
      CHECK(cudaStreamBeginCapture(s.main, cudaStreamCaptureModeRelaxed));
      for (int i = 0; i < SETS; ++i) w.run(s, i);
      cudaGraph_t graph;
      CHECK(cudaStreamEndCapture(s.main, &graph));
      CHECK(cudaGraphInstantiate(&w.graph, graph, 0));
      CHECK(cudaGraphDestroy(graph));
      for (int i = 0; i < 3; ++i) CHECK(cudaGraphLaunch(w.graph, s.main));
      CHECK(cudaStreamSynchronize(s.main));
    }
    for (int r = 0; r < repeats; ++r)
      for (size_t i = 0; i < ways.size(); ++i) {
        Way& w = ways[(i + r) % ways.size()];
        CHECK(cudaEventRecord(start, s.main));
        CHECK(cudaGraphLaunch(w.graph, s.main));
        CHECK(cudaEventRecord(stop, s.main));
        CHECK(cudaEventSynchronize(stop));
        float ms_taken = 0;
        CHECK(cudaEventElapsedTime(&ms_taken, start, stop));
        w.us.push_back(ms_taken * 1e3 / SETS);
      }
    for (Way& w : ways) {
      CHECK(cudaGraphLaunch(w.graph, s.main));
      CHECK(cudaStreamSynchronize(s.main));
      check(w, false);
    }

    const double flops = 2.0 * m * N1 * (double(K1) + N2);
    Interval order{}, persistent{}, cublas{};
    printf("   %-38s %9s   %-19s %7s  %-27s %s\n", "way", "median us", "95 % of the median", "TFLOP/s", "against its stream order", "largest error");
    for (Way& w : ways) {
      const Interval t = interval(w.us);
      std::string words_for = "";
      const bool lone = w.name.rfind("persistent", 0) == 0;
      if (w.name == "cuBLAS pair") cublas = t;
      else if (w.name == "stream order") order = t;
      else {
        if (w.name == "persistent, stream order") persistent = t;
        auto gain = [&](const Interval& base) {
          char text[64];
          if (t.low <= base.high && base.low <= t.high) snprintf(text, sizeof text, "no significant difference");
          else snprintf(text, sizeof text, "%+.1f %%", 100 * (t.median / base.median - 1));
          return std::string(text);
        };
        words_for = gain(lone && w.name != "persistent, stream order" ? persistent : order);
      }
      const bool right_result = w.worst < 4e-3;
      wrong += !right_result;
      printf("   %-38s %9.1f   %8.1f .. %-8.1f %7.0f  %-27s %.1e%s\n", w.name.c_str(), t.median, t.low, t.high, flops / t.median * 1e-6,
             words_for.c_str(), w.worst, right_result ? "" : "  WRONG");
      if (out)
        fprintf(out, "%s,%s,%d,\"%s\",%.2f,%.2f,%.2f,%d,%.2e\n", prop.name, kind.c_str(), m, w.name.c_str(), t.median, t.low, t.high, int(w.us.size()),
                w.worst);
      CHECK(cudaGraphExecDestroy(w.graph));
    }
    const Way* best = nullptr;
    for (const Way& w : ways)
      if (w.name != "cuBLAS pair" && w.worst < 4e-3 && (!best || interval(w.us).median < interval(best->us).median)) best = &w;
    if (best)
      printf("   best: %s, %.1f us, %.3f of the cuBLAS pair's time\n", best->name.c_str(), interval(best->us).median,
             interval(best->us).median / cublas.median);
    for (__half* p : right) cudaFree(p);
    fflush(stdout);
  }
  if (out) fclose(out);
  return wrong ? 1 : 0;
}

int main(int argc, char** argv) {
  std::string kind, m_text = "512,1024,1536,2048";
  int repeats = 40, group = 0;
  const char* csv = nullptr;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    if (name == "--kind") kind = argv[i + 1];
    else if (name == "--m") m_text = argv[i + 1];
    else if (name == "--repeats") repeats = std::max(30, atoi(argv[i + 1]));
    else if (name == "--group") group = std::max(0, atoi(argv[i + 1]));
    else if (name == "--csv") csv = argv[i + 1];
    else {
      printf("usage: %s [--kind cp|tma1|tma2] [--m 512,1024] [--repeats 40] [--group G] [--csv FILE]\n", argv[0]);
      return 2;
    }
  }
  if (kind.empty()) {  // a process for each kind
    int failed = 0;
    for (const char* k : {"cp", "tma1", "tma2"}) {
      std::string command = std::string("timeout 150 ") + argv[0] + " --kind " + k + " --m " + m_text + " --repeats " + std::to_string(repeats) + " --group " + std::to_string(group);
      if (csv) command += std::string(" --csv ") + csv;
      fflush(stdout);
      if (const int status = system(command.c_str())) {
        printf("\nkind %s: ended with status %d\n", k, status);
        ++failed;
      }
    }
    return failed ? 1 : 0;
  }
  std::vector<int> ms;
  for (const char* p = m_text.c_str(); *p;) {
    const int m = int(strtol(p, const_cast<char**>(&p), 10));
    if (m < 256 || m > 2048 || m % 256) {
      printf("M must be a multiple of 256 up to 2048\n");
      return 2;
    }
    ms.push_back(m);
    if (*p == ',') ++p;
    else if (*p) return 2;
  }
  alarm(140);
  return measure(kind, ms, repeats, group, csv);
}
