#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

namespace {
std::vector<float> ramp(size_t n) {
  std::vector<float> v(n);
  for (size_t i = 0; i < n; ++i) v[i] = float(i % 97) - 40.f;
  return v;
}
const char* reduce_source = R"(
__global__ void reduce(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    if (t % (2 * d) == 0) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void strided(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.f;
  __syncthreads();
  for (int d = 1; d < blockDim.x; d *= 2) {
    int k = 2 * d * t;
    if (k < blockDim.x) s[k] += s[k + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
)";
}  // namespace

TEST_CASE("machine: a block reduction sums, and its shared wavefronts are the hardware's") {
  Rig rig(reduce_source);
  const int n = 1000;
  auto in = ramp(n);
  uint64_t a = rig.buffer(in), b = rig.blank(16);
  auto count = [&](const char* name, uint64_t loads, uint64_t stores, uint64_t conflicts) {
    rig.launch(name, {4, 1, 1}, {256, 1, 1}, 0, a, b, n);
    auto traces = rig.run();
    auto out = rig.read<float>(b, 4);
    float sum = 0, expected = 0;
    for (float v : out) sum += v;
    for (float v : in) expected += v;
    CHECK(sum == expected);
    uint64_t ld = 0, st = 0, excess = 0, sectors = 0;
    const ptx::Function* f = rig.module->find_base(name, true);
    auto& counts = traces[0].counts[size_t(f - rig.module->functions.data())];
    for (size_t i = 0; i < counts.size(); ++i) {
      const std::string& op = f->code[i].opcode;
      if (op.rfind("ld.shared", 0) == 0) ld += counts[i].wavefronts;
      if (op.rfind("st.shared", 0) == 0) st += counts[i].wavefronts;
      if (op.rfind("ld.global", 0) == 0) sectors += counts[i].sectors;
      excess += counts[i].conflicts;
    }
    CHECK(ld == 4 * loads);
    CHECK(st == 4 * stores);
    CHECK(excess == 4 * conflicts);
    CHECK(sectors == 125);
    CHECK(traces[0].blocks.size() == 4);
    CHECK(traces[0].blocks[0].signature == traces[0].blocks[1].signature);
    CHECK(traces[0].blocks[0].signature != traces[0].blocks[3].signature);
  };
  count("reduce", 95, 55, 0);
  count("strided", 95, 55, 105);
  CHECK(rig.findings.empty());
}

TEST_CASE("machine: calls, recursion, function pointers, printf") {
  Rig rig(R"(
extern "C" __device__ int printf(const char*, ...);
__device__ __noinline__ int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
__device__ __noinline__ int twice(int n) { return 2 * n; }
__device__ __noinline__ int square(int n) { return n * n; }
__global__ void k(int* out) {
  int t = threadIdx.x;
  int (*f)(int) = t & 1 ? twice : square;
  out[t] = fib(t % 8) + 1000 * f(t);
  if (t == 3) printf("t=%d %s %.2f %c %lld\n", t, "text", 1.5, 'x', 1ll << 40);
}
)");
  uint64_t out = rig.blank(64 * 4);
  rig.launch("k", {1, 1, 1}, {64, 1, 1}, 0, out);
  rig.run();
  auto v = rig.read<int>(out, 64);
  int fib[] = {0, 1, 1, 2, 3, 5, 8, 13};
  for (int t = 0; t < 64; ++t) CHECK(v[size_t(t)] == fib[t % 8] + 1000 * (t & 1 ? 2 * t : t * t));
  CHECK(rig.printed == "t=3 text 1.50 x 1099511627776\n");
}

// As an H100 (driver 580, CUDA 13.0) printed and returned.
TEST_CASE("machine: printf in a kernel returns how many arguments it printed, and prints a null pointer") {
  Rig rig(R"(
extern "C" __device__ int printf(const char*, ...);
__global__ void k(int* out) {
  out[0] = printf("none\n");
  out[1] = printf("%d %s %f\n", 1, "two", 3.0);
  out[2] = printf("[%*d] [%lf] [%c] 100 %%\n", 6, 42, 2.5, 'x');
  out[3] = printf("[%p] [%20p] [%-20p|] [%hd] [%hhd]\n", (void*)0, (void*)16, (void*)16, 70000, 300);
}
)");
  const uint64_t out = rig.blank(16);
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, out);
  rig.run();
  CHECK(rig.read<int>(out, 4) == std::vector<int>{0, 3, 4, 5});
  CHECK(rig.printed ==
        "none\n1 two 3.000000\n[    42] [2.500000] [x] 100 %\n"
        "[(nil)] [                0x10] [0x10                |] [4464] [44]\n");
  CHECK(rig.findings.empty());
}

TEST_CASE("machine: a length word that printf in a kernel does not have is told") {
  for (const char* format : {"%zu", "%5td %d", "%% %jd"}) {
    Rig rig(std::string(
                "extern \"C\" __device__ int printf(const char*, ...);\n__global__ void k() { printf(\"") +
            format + "\\n\", 7ull, 8); }");
    rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0);
    rig.run();
    REQUIRE(rig.findings.size() == 1);
    CHECK(rig.findings[0].severity == Severity::warning);
    CHECK(rig.findings[0].kind == FindingKind::unsupported);
    CHECK(rig.findings[0].where.line == 2);
  }
}

TEST_CASE("machine: divergence meets again, loops with different trip counts, switches") {
  Rig rig(R"(
__global__ void k(int* out) {
  int t = threadIdx.x, sum = 0;
  for (int i = 0; i < t; ++i) {
    if (i % 3 == 0) sum += i;
    else if (i % 3 == 1) sum -= 2 * i;
    else { for (int j = 0; j < (t & 3); ++j) sum += j; }
  }
  switch (t & 7) {
    case 0: sum += 1; break;
    case 1: sum *= 3; break;
    case 2: sum -= 7; break;
    case 5: sum ^= 0x55; break;
    case 6: sum = -sum; break;
    default: sum += 100;
  }
  unsigned all = __ballot_sync(0xffffffff, sum & 1);
  out[t] = sum + (all != 0);
}
)");
  uint64_t out = rig.blank(32 * 4);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, out);
  rig.run();
  auto v = rig.read<int>(out, 32);
  for (int t = 0; t < 32; ++t) {
    int sum = 0;
    for (int i = 0; i < t; ++i) {
      if (i % 3 == 0)
        sum += i;
      else if (i % 3 == 1)
        sum -= 2 * i;
      else
        for (int j = 0; j < (t & 3); ++j) sum += j;
    }
    switch (t & 7) {
      case 0:
        sum += 1;
        break;
      case 1:
        sum *= 3;
        break;
      case 2:
        sum -= 7;
        break;
      case 5:
        sum ^= 0x55;
        break;
      case 6:
        sum = -sum;
        break;
      default:
        sum += 100;
    }
    CHECK(v[size_t(t)] == sum + 1);
  }
  CHECK(rig.findings.empty());
}

TEST_CASE("machine: shuffles and atomics") {
  Rig rig(R"(
__global__ void k(const float* in, float* out, int* hist, int* order) {
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  float v = in[i];
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  float w = __shfl_down_sync(0xffffffff, float(t & 31), 1);
  float u = __shfl_up_sync(0xffffffff, float(t & 31), 2, 8);
  if ((t & 31) == 0) atomicAdd(out, v);
  atomicAdd(&hist[i % 7], 1);
  atomicMax(&hist[7], i);
  out[1 + i] = w * 100 + u;
  if (t == 0) order[atomicAdd(order, 1) + 1] = blockIdx.x;
}
)");
  const int n = 8 * 64;
  std::vector<float> in(n);
  for (int i = 0; i < n; ++i) in[size_t(i)] = float(i);
  uint64_t a = rig.buffer(in), out = rig.buffer(std::vector<float>(n + 1)),
           hist = rig.buffer(std::vector<int>(8)), order = rig.buffer(std::vector<int>(9));
  rig.launch("k", {8, 1, 1}, {64, 1, 1}, 0, a, out, hist, order);
  auto traces = rig.run();
  CHECK(traces[0].ordered);
  auto o = rig.read<float>(out, n + 1);
  CHECK(o[0] == float(n * (n - 1) / 2));
  for (int i = 0; i < n; ++i) {
    int l = i & 31;
    float w = float(l == 31 ? 31 : l + 1), u = float((l & 7) < 2 ? l : l - 2);
    CHECK(o[size_t(i) + 1] == w * 100 + u);
  }
  auto h = rig.read<int>(hist, 8);
  for (int b = 0; b < 7; ++b) CHECK(h[size_t(b)] == n / 7 + (b < n % 7));
  CHECK(h[7] == n - 1);
  auto r = rig.read<int>(order, 9);
  for (int b = 0; b < 8; ++b) CHECK(r[size_t(b) + 1] == b);
}

TEST_CASE("machine: a spin lock within a warp, a flag between blocks, grid-wide ordering by a counter") {
  Rig rig(R"(
__device__ int lock, total;
__device__ volatile int flag;
__global__ void locked(int* out) {
  bool done = false;
  while (!done) {
    if (atomicCAS(&lock, 0, 1) == 0) {
      total = total + 1;
      __threadfence();
      atomicExch(&lock, 0);
      done = true;
    }
  }
  __syncthreads();
  if (threadIdx.x == 0) out[blockIdx.x] = 1;
}
__global__ void waiting(int* out) {
  if (blockIdx.x < 3) {
    if (threadIdx.x == 0) while (flag == 0) {}
    __syncthreads();
    out[blockIdx.x] = flag;
  } else if (threadIdx.x == 0) {
    __threadfence();
    flag = 42;
  }
}
)");
  uint64_t out = rig.blank(64);
  rig.launch("locked", {4, 1, 1}, {64, 1, 1}, 0, out);
  rig.run();
  CHECK(rig.read<int>(rig.symbols.at("total"), 1)[0] == 256);
  rig.launch("waiting", {4, 1, 1}, {32, 1, 1}, 0, out);
  rig.run();
  CHECK(rig.read<int>(out, 3) == std::vector<int>{42, 42, 42});
}

TEST_CASE("machine: loads and stores with every cache hint that CUDA C++ has") {
  Rig rig(R"(
__global__ void hints(const float4* in, float4* out) {
  int i = threadIdx.x;
  float4 v = __ldcs(&in[i]), w = __ldcg(&in[i]), x = __ldca(&in[i]), y = __ldlu(&in[i]), z = __ldcv(&in[i]);
  v.x += w.x + x.x + y.x + z.x + __ldg(&in[i]).x;
  __stcs(&out[i], v);
  __stcg(&out[i + 32], v);
  __stwb(&out[i + 64], v);
  __stwt(&out[i + 96], v);
}
)");
  std::vector<float> in(128, 1.0f), out(512, 0.0f);
  const uint64_t a = rig.buffer(in), b = rig.buffer(out);
  rig.launch("hints", {1, 1, 1}, {32, 1, 1}, 0, a, b);
  rig.run();
  const auto got = rig.read<float>(b, 512);
  for (size_t quarter = 0; quarter < 4; ++quarter) CHECK(got[quarter * 128] == 6.0f);
}
