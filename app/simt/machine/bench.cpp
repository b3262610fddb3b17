#include "simt/machine/bench.hpp"

#include <chrono>
#include <cstring>
#include <ctime>
#include <vector>

#include "core/compile.hpp"
#include "core/error.hpp"
#include "simt/machine/machine.hpp"

namespace dojo::simt {
namespace {

const char* source = R"(
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d /= 2) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void fma_loop(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x;
  s[t] = in[t];
  __syncthreads();
  float a = 0, b = 1, c = 2, d = 3, x = in[t + 1];
  for (int k = 0; k < n; ++k) {
    float v = s[(k * 4) & 255], w = s[(k * 4 + 1) & 255];
    a = a * x + v;
    b = b * x + w;
    c = c * x + v;
    d = d * x + w;
  }
  out[blockIdx.x * blockDim.x + t] = a + b + c + d;
}
__global__ void strided(const float* in, float* out, int n) {
  __shared__ float s[1024];
  int t = threadIdx.x;
  for (int k = t; k < 1024; k += 256) s[k] = in[k];
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += s[(t * 4 + k) & 1023];
    sum += in[(t * 16 + k) & 65535];
  }
  out[blockIdx.x * blockDim.x + t] = sum;
}
__global__ void gather(const int* index, const float* in, float* out, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  int at = index[t & 65535];
  for (int k = 0; k < n; ++k) {
    sum += in[at];
    at = index[at];
  }
  out[t] = sum;
}
)";

struct Bench {
  AddressSpace memory;
  std::shared_ptr<const ptx::Module> module;
  std::shared_ptr<const Program> program;
  uint64_t in, out, index;

  Bench() {
    CompileRequest request;
    request.file = "bench.cu";
    request.source = source;
    Compiled c = compile(request);
    if (!c.ok)
      throw Error("the benchmark's kernels don't compile: " +
                  (c.diagnostics.empty() ? "" : c.diagnostics[0].message));
    module = ptx::parse(c.ptx, "bench.cu");
    program = decode(module, {});
    auto allocate = [&](uint64_t bytes) {
      Region* r = memory.allocate(bytes, Owner::device, "bench");
      if (!r) throw Error("no memory for the benchmark");
      r->initialized = true;
      return r;
    };
    Region* a = allocate(uint64_t(4) << 20);
    for (uint32_t i = 0; i < 1u << 20; ++i) {
      const float v = float(i % 1000) * 0.001f;
      std::memcpy(a->data + i * 4, &v, 4);
    }
    in = a->base;
    out = allocate(uint64_t(4) << 20)->base;
    Region* idx = allocate(65536 * 4);
    uint32_t state = 12345;
    for (uint32_t i = 0; i < 65536; ++i) {
      state = state * 1664525u + 1013904223u;
      const uint32_t v = state >> 16;
      std::memcpy(idx->data + i * 4, &v, 4);
    }
    index = idx->base;
  }

  struct Once {
    double used, wall;  // seconds: processor time, and what passed
    uint64_t instructions;
  };
  /// One launch.
  template <class... A>
  Once run(const char* kernel, uint32_t blocks, bool checks, int threads, A... args) {
    const ptx::Function* f = module->find_base(kernel, true);
    if (!f) throw Error(std::string("the benchmark has no kernel ") + kernel);
    LaunchNode n;
    n.function = uint32_t(f - module->functions.data());
    n.spec.kernel = f->name;
    n.spec.grid = {blocks, 1, 1};
    n.spec.block = {256, 1, 1};
    n.spec.params.resize(f->param_bytes);
    size_t i = 0;
    auto put = [&](const auto& a) {
      std::memcpy(n.spec.params.data() + f->params[i++].offset, &a, sizeof a);
    };
    (put(args), ...);
    n.blocks_per_sm = 8;
    MachineConfig config;
    config.control.threads = threads;
    config.control.checks = checks;
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t cpu = std::clock();
    auto traces = execute(*program, std::span(&n, 1), memory, config);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const double used = double(std::clock() - cpu) / CLOCKS_PER_SEC;
    return {used, wall, traces[0].warp_instructions};
  }
  /// Best of three: warp instructions per second of processor time, so that other load on the machine doesn't
  /// count.
  template <class... A>
  double rate(const char* kernel, uint32_t blocks, bool checks, int threads, A... args) {
    double best = 0;
    for (int k = 0; k < 3; ++k) {
      const Once once = run(kernel, blocks, checks, threads, args...);
      best = std::max(best, double(once.instructions) / once.used);
    }
    return best;
  }
};

double scalar_sum() {
  std::vector<float> v(1 << 22, 1.f);
  double best = 0;
  for (int k = 0; k < 3; ++k) {
    const std::clock_t start = std::clock();
    // A running sum that the compiler may not reorder: one addition after the other.
    float sum = 0;
    for (float f : v) sum += f;
    volatile float keep = sum;
    (void)keep;
    best = std::max(best, double(v.size()) * CLOCKS_PER_SEC / double(std::clock() - start));
  }
  return best;
}

}  // namespace

const char* bench_reduce_source() { return source; }

std::map<std::string, double> bench_machine() {
  Bench b;
  std::map<std::string, double> figures;
  const int n = 1 << 20;
  figures["yardstick.scalar_sum.elements_per_s"] = scalar_sum();
  figures["simt.reduce.functional"] = b.rate("reduce", 4096, false, 1, b.in, b.out, n);
  const double checks = figures["simt.reduce.checks"] = b.rate("reduce", 4096, true, 1, b.in, b.out, n);
  const uint64_t instructions = b.run("reduce", 4096, true, 1, b.in, b.out, n).instructions;
  figures["simt.reduce.checks.elements_per_s"] = checks * n / double(instructions);
  figures["simt.fma_loop.functional"] = b.rate("fma_loop", 64, false, 1, b.in, b.out, 2000);
  figures["simt.strided.checks"] = b.rate("strided", 16, true, 1, b.in, b.out, 1000);
  figures["simt.gather.checks"] = b.rate("gather", 16, true, 1, b.index, b.in, b.out, 500);
  // Wall time, one and two threads interleaved, the best of nine each: other load slows both.
  double one = 1e9, two = 1e9;
  for (int k = 0; k < 9; ++k) {
    one = std::min(one, b.run("reduce", 4096, true, 1, b.in, b.out, n).wall);
    two = std::min(two, b.run("reduce", 4096, true, 2, b.in, b.out, n).wall);
  }
  figures["simt.two_core_speedup"] = one / two;
  return figures;
}

}  // namespace dojo::simt
