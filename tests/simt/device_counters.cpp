// Counters of our own that gates look at: what lanes ask of atomics, local memory, reads of the clock.
#include "../near.hpp"
#include "device_fixture.hpp"

#include <set>

#include "core/counters.hpp"
#include "core/files/whole_file.hpp"
#include "core/paths.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {
double count(const LaunchReport& r, const char* name) {
  const auto it = r.counters.find(name);
  return it == r.counters.end() ? -1 : it->second;
}
}  // namespace

TEST_CASE("counters: every one that is counted has a row in the table") {
  Kernels k(R"(
__global__ void k(const int* at, int* x) {
  __shared__ int s[64];
  int own[8];
  for (int i = 0; i < 8; ++i) own[i] = x[i];
  for (int i = 0; i < 16; ++i) own[at[i] % 8] += i;
  s[threadIdx.x] = at[threadIdx.x];
  __syncthreads();
  if (threadIdx.x % 3 == 0) atomicAdd(&s[threadIdx.x / 2], own[at[1] % 8]);
  atomicAdd(x + 40, __shfl_xor_sync(~0u, s[63 - threadIdx.x], 1));
  __syncthreads();
  x[threadIdx.x] = s[threadIdx.x] + own[at[2] % 8];
}
)");
  const uint64_t at = k.buffer_of(std::vector<int>(64, 3)), x = k.buffer_of(std::vector<int>(64, 1));
  const LaunchReport r = k.run(k.spec("k", {2, 1, 1}, {64, 1, 1}, at, x));
  CHECK(r.counters.size() > 40);
  // Nsight Compute's names that reports carry beside the table's: no gate and no plot asks for them.
  const std::set<std::string> without_row{"l1tex__t_requests_pipe_lsu_mem_global_op_atom.sum",
                                          "l1tex__t_sectors_pipe_lsu_mem_global_op_atom.sum",
                                          "smsp__inst_executed_op_global_atom.sum",
                                          "smsp__inst_executed_op_local_ld.sum",
                                          "smsp__inst_executed_op_local_st.sum",
                                          "smsp__inst_executed_op_shared_atom.sum",
                                          "smsp__issue_active.avg.pct_of_peak_sustained_active"};
  for (const auto& [name, value] : r.counters)
    if (!name.starts_with("ptx:") && !without_row.contains(name))
      CHECK_MESSAGE(find_counter(name), name << " has no row in app/core/counters.cpp");
}

namespace {

/// The names of counters that a source writes: "dojo__atomics.sum", or the start of several, which ends in _
/// and gets its end while it runs. What a report starts at 0 is not counted by that.
std::set<std::string> names_written(std::string source) {
  const size_t zeros = source.find("void start_at_zero");
  REQUIRE(zeros != source.npos);
  source.erase(zeros, source.find("\n}\n", zeros) - zeros);
  std::set<std::string> names;
  for (size_t at = source.find('"'); at != source.npos; at = source.find('"', at + 1)) {
    const size_t end = source.find('"', at + 1);
    const std::string text = source.substr(at + 1, end - at - 1);
    if (text.find("__") != text.npos) names.insert(text);
    at = end;
  }
  return names;
}

}  // namespace

TEST_CASE("counters: every row of the table is counted somewhere") {
  const auto written = names_written(read_or_empty(source_root() / "app/simt/device/device_report.cpp"));
  const auto counted = [&](const std::string& row) {
    return std::any_of(written.begin(), written.end(), [&](const std::string& name) {
      return row == name || (name.ends_with("_") && row.starts_with(name));
    });
  };
  for (const CounterInfo& row : counter_table())
    CHECK_MESSAGE(counted(std::string(row.name)), std::string(row.name)
                                                      << " is a row of app/core/counters.cpp, and nothing in "
                                                      << "app/simt/device/device_report.cpp counts it");
  CHECK(!counted("dojo__atomic_lanes.sum"));
}

TEST_CASE("counters: atomics on global memory count the bytes of their lanes") {
  Kernels k(R"(
__global__ void all(unsigned* x) { atomicAdd(x + threadIdx.x % 2, 1u); }
__global__ void some(unsigned long long* x) {
  if (threadIdx.x % 4 == 0) x[threadIdx.x + 1] = atomicMax(x, 5ull);
}
__global__ void in_shared(unsigned* x) {
  __shared__ unsigned s;
  if (threadIdx.x == 0) s = 0;
  __syncthreads();
  atomicAdd(&s, 1u);
  __syncthreads();
  x[threadIdx.x] = s;
}
)");
  const uint64_t x = k.buffer_of(std::vector<uint64_t>(128, 0));
  const char* name = "dojo__lane_bytes_global_atomics.sum";
  CHECK(count(k.run(k.spec("all", {3, 1, 1}, {64, 1, 1}, x)), name) == 3 * 64 * 4);
  CHECK(count(k.run(k.spec("some", {1, 1, 1}, {64, 1, 1}, x)), name) == 16 * 8);
  CHECK(count(k.run(k.spec("in_shared", {1, 1, 1}, {64, 1, 1}, x)), name) == 0);
}

TEST_CASE("counters: sectors of local memory stand in each report, and are zero without it") {
  Kernels k(R"(
__global__ void indexed(const int* at, float* x) {
  float a[16];
  for (int i = 0; i < 16; ++i) a[i] = x[i];
  for (int i = 0; i < 32; ++i) a[at[i]] += x[i];
  x[threadIdx.x + 16] = a[at[threadIdx.x]];
}
__global__ void plain(const int* at, float* x) { x[threadIdx.x] = float(at[threadIdx.x]); }
)");
  const uint64_t at = k.buffer_of(std::vector<int>(32, 3)), x = k.buffer_of(std::vector<float>(48, 1.f));
  const char* name = "l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum";
  CHECK(count(k.run(k.spec("indexed", {1, 1, 1}, {32, 1, 1}, at, x)), name) >= 4);
  CHECK(count(k.run(k.spec("plain", {1, 1, 1}, {32, 1, 1}, at, x)), name) == 0);
}

TEST_CASE("counters: registers that a forced limit does not leave are sectors of local memory") {
  const std::string body = R"((const float* in, float* out) {
  float a[48];
#pragma unroll
  for (int i = 0; i < 48; ++i) a[i] = in[i * 32 + threadIdx.x];
  __syncthreads();
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 48; ++i) sum = sum * in[i] + a[i];
  out[threadIdx.x] = sum;
}
)";
  Kernels k("__global__ void __launch_bounds__(1024, 2) tight" + body + "__global__ void roomy" + body);
  const uint64_t in = k.buffer_of(std::vector<float>(48 * 32 + 32, 0.5f)), out = k.buffer(128);
  const LaunchReport tight = k.run(k.spec("tight", {1, 1, 1}, {32, 1, 1}, in, out));
  const LaunchReport roomy = k.run(k.spec("roomy", {1, 1, 1}, {32, 1, 1}, in, out));
  for (const std::string dir : {"ld", "st"}) {
    const std::string instructions = "smsp__inst_executed_op_local_" + dir + ".sum";
    const std::string sectors = "l1tex__t_sectors_pipe_lsu_mem_local_op_" + dir + ".sum";
    CHECK(count(tight, instructions.c_str()) >= 10);
    CHECK(count(tight, sectors.c_str()) >= 4 * count(tight, instructions.c_str()));
    CHECK(count(roomy, sectors.c_str()) == 0);
  }
  CHECK(tight.time_us > roomy.time_us);
}

TEST_CASE("counters: the frames of a recursion are local memory, stored and restored") {
  Kernels k(R"(
struct node { int kind, left, right; float value; };
static __device__ float evaluate(const node* tree, int at, float x, float y) {
  const node n = tree[at];
  if (n.kind == 0) return n.value;
  if (n.kind == 1) return x;
  if (n.kind == 2) return y;
  const float a = evaluate(tree, n.left, x, y);
  if (n.kind == 6) return sqrtf(fabsf(a));
  const float b = evaluate(tree, n.right, x, y);
  return n.kind == 3 ? a + b : n.kind == 4 ? a * b : fminf(a, b);
}
__global__ void walk(const node* tree, const int* root, float* out) {
  out[blockIdx.x * blockDim.x + threadIdx.x] = evaluate(tree, root[blockIdx.x], threadIdx.x, 2);
}
)");
  struct Node {
    int kind, left, right;
    float value;
  };
  const std::vector<Node> tree{{3, 1, 2, 0}, {4, 3, 4, 0}, {0, -1, -1, 5}, {1, -1, -1, 0}, {2, -1, -1, 0}};
  const uint64_t nodes = k.buffer_of(tree), root = k.buffer_of(std::vector<int>{0}), out = k.buffer(4096);
  const auto run = [&](uint32_t threads) {
    return k.run(k.spec("walk", {1, 1, 1}, {threads, 1, 1}, nodes, root, out));
  };
  const auto sectors = [](const LaunchReport& r, const std::string& dir) {
    return count(r, ("l1tex__t_sectors_pipe_lsu_mem_local_op_" + dir + ".sum").c_str());
  };
  const LaunchReport whole = run(32), part = run(12);
  CHECK(k.read<float>(out, 4)[3] == 3 * 2 + 5);
  const double stored = sectors(whole, "st");
  CHECK(stored >= 5 * 4 * 4);  // five activations, a sector per eight lanes and register
  CHECK(sectors(whole, "ld") == stored);
  // Words of 12 lanes lie in two sectors.
  CHECK(sectors(part, "st") == stored / 2);
  CHECK(sectors(part, "ld") == stored / 2);
  CHECK(count(whole, "lts__t_sectors_srcunit_tex_lookup_hit.sum") >= stored);
}

TEST_CASE("counters: a read of the clock counts where the program uses its value") {
  Kernels k(R"(
__global__ void used(long long* x) {
  const long long start = clock64();
  x[1] = x[0] * 3;
  x[2] = clock64() - start;
}
__global__ void in_vain(long long* x) {
  const long long start = clock64();
  x[1] = x[0] * 3;
  const long long end = clock64();
  x[2] = 42;
}
)");
  const uint64_t x = k.buffer_of(std::vector<int64_t>(3, 7));
  CHECK(count(k.run(k.spec("used", {1, 1, 1}, {32, 1, 1}, x)), "ptx:%clock64") == 2);
  CHECK(count(k.run(k.spec("in_vain", {1, 1, 1}, {32, 1, 1}, x)), "ptx:%clock64") == -1);
}

TEST_CASE("counters: polls are looks at a word that another thread changes") {
  Kernels k(R"(
__global__ void flag(volatile unsigned* x) {
  if (blockIdx.x == 0) {
    x[0] = 1;
  } else if (threadIdx.x == 0) {
    while (x[0] == 0) {}
  }
}
__global__ void counter(unsigned* x) {
  if (threadIdx.x == 0) atomicAdd(x + 1, 1u);
  if (threadIdx.x == 0)
    while (atomicAdd(x + 1, 0u) < gridDim.x) {}
}
__global__ void lock(unsigned* x) {
  if (threadIdx.x == 0) {
    while (atomicCAS(x + 2, 0u, 1u) != 0u) {}
    x[3] += 1;
    __threadfence();
    atomicExch(x + 2, 0u);
  }
}
__global__ void no_wait(unsigned* x, float* f) {
  unsigned* bits = (unsigned*)f;
  unsigned old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __float_as_uint(__uint_as_float(assumed) + 1.0f));
  } while (old != assumed);
  while (atomicAdd(x + 4, 1u) < 40) {}
  for (volatile unsigned* v = x; v < x + 4; ++v) x[5 + threadIdx.x] = *v;
}
)");
  const uint64_t x = k.buffer_of(std::vector<uint32_t>(64, 0)), f = k.buffer_of(std::vector<float>(1, 0));
  const char* name = "dojo__polls.sum";
  CHECK(count(k.run(k.spec("flag", {2, 1, 1}, {32, 1, 1}, x)), name) >= 1);
  CHECK(count(k.run(k.spec("counter", {2, 1, 1}, {32, 1, 1}, x)), name) >= 2);
  CHECK(count(k.run(k.spec("lock", {2, 1, 1}, {32, 1, 1}, x)), name) >= 2);
  CHECK(count(k.run(k.spec("no_wait", {1, 1, 1}, {32, 1, 1}, x, f)), name) == 0);
}

TEST_CASE("counters: a loop with branches, laid out as copies in sequence, executes one copy per turn") {
  // fi_sobol_asian of tests/zoo/finance.cu, 512 warps: 393,171 instructions on an H100
  // (assets/recordings/h100-zoo2.csv). Each copy stands in a block of its own; counted on every turn, they
  // were 2,012,502.
  Kernels k(R"(
struct Directions {
  unsigned v[8][16];
  constexpr Directions() : v() {
    for (int date = 0; date < 8; ++date)
      for (int bit = 0; bit < 16; ++bit) v[date][bit] = 32768u >> bit;
  }
};
__constant__ Directions direction;
__global__ void asian(float* payoff, float strike, float drift, float spread, int paths) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= paths) return;
  const unsigned gray = (i + 1) ^ (i + 1) >> 1;
  float logarithm = 0, mean = 0;
  for (int date = 0; date < 8; ++date) {
    unsigned point = 0;
    for (int bit = 0; bit < 16; ++bit)
      if (gray >> bit & 1) point ^= direction.v[date][bit];
    const float uniform = (point + 0.5f) * (1.0f / 65536);
    logarithm += drift + spread * normcdfinvf(uniform);
    mean += expf(logarithm);
  }
  payoff[i] = fmaxf(100 * mean / 8 - strike, 0);
}
)",
            "simt:h100");
  const uint64_t out = k.buffer(128 * 128 * sizeof(float));
  const LaunchReport launch =
      k.run(k.spec("asian", {128, 1, 1}, {128, 1, 1}, out, 100.0f, 0.01f, 0.2f, 128 * 128));
  CHECK(launch.counters.at("smsp__inst_executed.sum") == dojo::tolerance::within(393171, 0.15));
}

TEST_CASE("counters: an element of four words in local memory is four sectors for each eight lanes at it") {
  // A word of eight lanes is one sector. `pu_bound_roots` of tests/zoo, whose lanes pop stacks of 16-byte
  // elements at places of their own: 694,680 sectors of loads on an H100, 382,659 if each lane's 16 bytes
  // were counted as one sector.
  Kernels k(R"(
__global__ void pick(const int* which, int4* out) {
  int4 row[32];
#pragma unroll 1
  for (int i = 0; i < 32; ++i) row[i] = make_int4(i, which[i], i, i);
  out[threadIdx.x] = row[which[threadIdx.x]];
}
)",
            "simt:h100");
  const uint64_t out = k.buffer(32 * 16);
  const auto sectors = [&](int apart) {  // lanes l and l + apart at one index, modulo 32
    std::vector<int> which(32);
    for (int l = 0; l < 32; ++l) which[size_t(l)] = l % apart;
    const LaunchReport launch = k.run(k.spec("pick", {1, 1, 1}, {32, 1, 1}, k.buffer_of(which), out));
    CHECK(launch.counters.at("l1tex__t_sectors_pipe_lsu_mem_local_op_st.sum") == 32 * 16);
    return launch.counters.at("l1tex__t_sectors_pipe_lsu_mem_local_op_ld.sum");
  };
  CHECK(sectors(1) == 16);
  CHECK(sectors(4) == 4 * 4 * 4);
  CHECK(sectors(32) == 32 * 4);
}
