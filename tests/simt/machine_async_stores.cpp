// st.async, red.async and the bytes that an mbarrier expects.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::found;
using dojo::test::Rig;

namespace {

/// Blocks 0 and 1 of a cluster of two: block 1's first warp runs SEND with `to` and `bar`, the addresses of
/// block 0's data and mbarrier; block 0 waits for BYTES bytes and adds up its data.
std::string sender(const char* send, const char* bytes, const char* first = "") {
  std::string s = R"(
#include <cooperative_groups.h>
__device__ unsigned place(const void* p) { return unsigned(__cvta_generic_to_shared(p)); }
__device__ unsigned in_block_0(unsigned at) {
  unsigned there;
  asm("mapa.shared::cluster.u32 %0, %1, 0;" : "=r"(there) : "r"(at));
  return there;
}
__global__ void __cluster_dims__(2, 1, 1) k(float* a, float* b, int n) {
  __shared__ alignas(16) int data[128]; __shared__ alignas(8) unsigned long long mbar;
  auto cluster = cooperative_groups::this_cluster();
  const unsigned own = place(&mbar), to = in_block_0(place(data + threadIdx.x)), bar = in_block_0(own);
  const int l = threadIdx.x; unsigned done = 0;
  data[l] = FIRST;
  if (l == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(own) : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], BYTES;" ::"r"(own) : "memory");
  }
  cluster.sync();
  if (cluster.block_rank() == 1) { SEND }
  else {
    while (!done)
      asm volatile("{.reg .pred p; mbarrier.try_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}"
                   : "=r"(done) : "r"(own) : "memory");
    a[l] = float(data[l]);
  }
  cluster.sync();
})";
  for (const auto& [name, text] :
       {std::pair<const char*, const char*>("FIRST", *first ? first : "0"), {"BYTES", bytes}, {"SEND", send}})
    s.replace(s.find(name), strlen(name), text);
  return s;
}

constexpr const char* one_word =
    R"(asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];"
                    ::"r"(to), "r"(l + 5), "r"(bar) : "memory");)";

/// What block 0 has read, of 32 threads.
std::vector<float> sent(const char* send, const char* bytes, const char* first = "") {
  Rig r(sender(send, bytes, first));
  const uint64_t a = r.buffer(std::vector<float>(64, -1.0f), "a"), b = r.buffer(std::vector<float>(64), "b");
  r.launch("k", {2, 1, 1}, {32, 1, 1}, 0, a, b, 64);
  r.run();
  for (const Diagnostic& d : r.findings) FAIL_CHECK(d.message);
  return r.read<float>(a, 32);
}

std::vector<float> from(float first, float step) {
  std::vector<float> v;
  for (int i = 0; i < 32; ++i) v.push_back(first + step * float(i));
  return v;
}

}  // namespace

TEST_CASE("st.async: a phase ends when its stores are there") {
  CHECK(sent(one_word, "128") == from(5, 1));
  const char* pairs =
      R"(if (l < 16) asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v2.s32 "
         "[%0], {%1, %2}, [%3];"
         ::"r"(to + 4 * l), "r"(2 * l), "r"(2 * l + 1), "r"(bar) : "memory");)";
  CHECK(sent(pairs, "128") == from(0, 1));
  const char* fours =
      R"(if (l < 8) asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v4.b32 "
         "[%0], {%1, %2, %3, %4}, [%5];"
         ::"r"(to + 12 * l), "r"(4 * l), "r"(4 * l + 1), "r"(4 * l + 2), "r"(4 * l + 3), "r"(bar)
         : "memory");)";
  CHECK(sent(fours, "128") == from(0, 1));
}

TEST_CASE("red.async: sums and extrema are there when the phase ends") {
  const auto reduced = [](const char* operation, const char* value) {
    std::string s =
        R"(asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.OP "
           "[%0], %1, [%2];"
           ::"r"(to), "r"(VALUE), "r"(bar) : "memory");)";
    s.replace(s.find("OP"), 2, operation);
    s.replace(s.find("VALUE"), 5, value);
    return sent(s.c_str(), "128", "100 + l");
  };
  CHECK(reduced("add.u32", "2 * l") == from(100, 3));
  CHECK(reduced("min.s32", "l - 7") == from(-7, 1));
  CHECK(reduced("max.u32", "200 + 2 * l") == from(200, 2));
}

TEST_CASE("st.async: a phase that waits for more bytes than come never ends") {
  CHECK(found(sender(one_word, "132").c_str(), 2, 32) == "deadlock:25");
  CHECK(found(sender(one_word, "128").c_str(), 2, 32) == "");
}

TEST_CASE("st.async: bounds, alignment, and the mbarrier's block are checked") {
  const auto sends = [](const char* to, const char* bar) {
    std::string s =
        R"(if (l == 0) asm volatile("st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.u32 "
           "[%0], %1, [%2];"
           ::"r"(TO), "r"(l), "r"(BAR) : "memory");)";
    s.replace(s.find("TO)"), 2, to);
    s.replace(s.find("BAR"), 3, bar);
    return found(sender(s.c_str(), "4").c_str(), 2, 32);
  };
  CHECK(sends("to", "bar") == "");
  CHECK(sends("to + 4096", "bar") == "out_of_bounds:22");
  CHECK(sends("to + 1", "bar") == "misaligned:22");
  CHECK(sends("to", "bar + 4") == "misaligned:22");
  CHECK(sends("to", "bar + 4096") == "out_of_bounds:22");
  CHECK(sends("to", "own") == "wrong_space:22");
}

TEST_CASE("mbarriers: a phase waits for the bytes of its transactions, whichever comes first") {
  const auto phases = [](const char* steps) {
    std::string s = R"(
__global__ void k(float* a, float* b, int n) {
  __shared__ alignas(16) float data[64]; __shared__ alignas(8) unsigned long long mbar;
  const unsigned bar = unsigned(__cvta_generic_to_shared(&mbar));
  const unsigned to = unsigned(__cvta_generic_to_shared(data));
  unsigned done = 0;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared.b64 [%0], 1;" ::"r"(bar) : "memory");
    STEPS
  }
  __syncthreads();
  while (!done)
    asm volatile("{.reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.b32 %0, 1, 0, p;}"
                 : "=r"(done) : "r"(bar) : "memory");
  a[threadIdx.x] = data[threadIdx.x];
})";
    std::string text;
    for (const char* c = steps; *c; ++c) {
      if (*c == 'e')
        text += R"(asm volatile("mbarrier.expect_tx.relaxed.cta.shared.b64 [%0], 256;" ::"r"(bar));)";
      if (*c == 'E')
        text +=
            R"(asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 256;" ::"r"(bar) : "memory");)";
      if (*c == 'a') text += R"(asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(bar) : "memory");)";
      if (*c == 'd')
        text += R"(asm volatile("mbarrier.complete_tx.relaxed.cta.shared.b64 [%0], 256;" ::"r"(bar));)";
      if (*c == 'c')
        text += R"(asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes )"
                R"([%0], [%1], 256, [%2];" ::"r"(to), "l"(a), "r"(bar) : "memory");)";
    }
    s.replace(s.find("STEPS"), 5, text);
    return found(s.c_str(), 1, 64);
  };
  CHECK(phases("Ec") == "");
  CHECK(phases("cE") == "");
  CHECK(phases("eca") == "");
  CHECK(phases("eac") == "");
  CHECK(phases("E") == "deadlock:14");
  CHECK(phases("ac") == "");  // the first phase is over before the copy
  CHECK(phases("ca") == "deadlock:14");
  CHECK(phases("cadE") == "deadlock:14");
  CHECK(phases("cae") == "");
}
