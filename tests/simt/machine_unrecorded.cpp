// Instructions without a recorded result: what they do by the PTX ISA (8.8), or that they change nothing.
#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

TEST_CASE("machine: isspacep says which window a generic address is in") {
  Rig rig(R"(
__constant__ int table[4] = {1, 2, 3, 4};
template <class T> __device__ unsigned long long generic(T* p) { return (unsigned long long)p; }
__global__ void k(int* out, int n) {
  __shared__ int tile[32];
  int mine[4] = {n, n, n, n};
  tile[threadIdx.x] = n;
  const unsigned long long at[4] = {generic(out), generic(tile), generic(&mine[n & 3]),
                                    generic(&table[n & 3])};
  for (int i = 0; i < 4; ++i) {
    int in = 0;
    asm volatile("{ .reg .pred p, q, r, s; .reg .b32 v; isspacep.global p, %1; isspacep.shared q, %1;"
                 " isspacep.local r, %1; isspacep.const s, %1; selp.b32 %0, 1, 0, p; selp.b32 v, 2, 0, q;"
                 " or.b32 %0, %0, v; selp.b32 v, 4, 0, r; or.b32 %0, %0, v; selp.b32 v, 8, 0, s;"
                 " or.b32 %0, %0, v; }"
                 : "=r"(in) : "l"(at[i]));
    out[i] = in;
  }
  out[4] = mine[n & 3] + tile[0];
}
)");
  const uint64_t out = rig.blank(5 * 4);
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, out, 2);
  CHECK(rig.found() == "");
  const auto in = rig.read<int>(out, 4);
  CHECK((in[0] & 7) == 1);  // global, and neither shared nor local
  CHECK(in[1] == 2);
  CHECK(in[2] == 4);
  CHECK((in[3] & 8) == 8);
}

TEST_CASE("machine: a 32-bit address and its offset wrap, and offsets of cp.async may be below 0") {
  // nvcc compiles tile[i + j - 3], j unrolled, to one register that is below 0 in the first threads and
  // offsets.
  Rig rig(R"(
__global__ void k(int* out, const int* in) {
  __shared__ int tile[32];
  const unsigned lane = threadIdx.x, at = unsigned(__cvta_generic_to_shared(tile + lane)) - 16;
  int back, old;
  asm volatile("st.shared.u32 [%2+16], %3;"
               " ld.shared.u32 %0, [%2+16]; atom.shared.add.u32 %1, [%2+16], 1000;"
               : "=r"(back), "=r"(old) : "r"(at), "r"(lane) : "memory");
  out[lane] = back + old + tile[lane];
  asm volatile("cp.async.ca.shared.global [%0+16], [%1+-8], 4; cp.async.wait_all;"
               ::"r"(at), "l"(in + lane + 2) : "memory");
  asm volatile("cp.async.ca.shared.global [%0+-8], [%1], 4; cp.async.wait_all;" ::"r"(at + 24), "l"(in + lane)
               : "memory");
  out[32 + lane] = tile[lane];
}
)");
  std::vector<int> in(32);
  for (int i = 0; i < 32; ++i) in[size_t(i)] = 5 * i;
  const uint64_t out = rig.blank(64 * 4), from = rig.buffer(in, "in");
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, out, from);
  CHECK(rig.found() == "");
  const auto v = rig.read<int>(out, 64);
  for (size_t i = 0; i < 32; ++i) {
    CHECK(v[i] == int(3 * i + 1000));
    CHECK(v[32 + i] == int(5 * i));
  }
}

TEST_CASE("machine: mov joins bytes and takes them apart, the least significant byte first") {
  // PTX ISA, mov: as <cuda_bf16.h> converts a __nv_bfloat16 to a char.
  Rig rig(R"(
__global__ void k(unsigned* out, unsigned word) {
  unsigned short pair;
  unsigned back, two;
  asm volatile("{ .reg .b8 b<4>; mov.b32 {b0, b1, b2, b3}, %3; mov.b32 %1, {b3, b2, b1, b0};"
               " mov.b16 %0, {b1, 0}; mov.b16 {b0, b1}, %0; mov.b16 %0, {b1, b0}; cvt.u32.u16 %2, %0; }"
               : "=h"(pair), "=r"(back), "=r"(two)
               : "r"(word));
  out[0] = back;
  out[1] = two;
}
)");
  const uint64_t out = rig.blank(2 * 4);
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, out, 0xa1b2c3d4u);
  CHECK(rig.found() == "");
  const auto words = rig.read<unsigned>(out, 2);
  CHECK(words[0] == 0xd4c3b2a1u);
  CHECK(words[1] == 0xc300u);
}

TEST_CASE("machine: elect picks one lane of the mask, and every lane learns which") {
  Rig rig(R"(
__device__ void elect(unsigned mask, unsigned& who, unsigned& yes) {
  asm volatile("{ .reg .pred p; elect.sync %0|p, %2; selp.b32 %1, 1, 0, p; }"
               : "=r"(who), "=r"(yes)
               : "r"(mask));
}
__global__ void k(unsigned* chosen, unsigned* leader) {
  const unsigned lane = threadIdx.x;
  unsigned who, yes;
  if (lane & 1)
    elect(0xaaaaaaaau, who, yes);
  else
    elect(0x55555555u, who, yes);
  chosen[lane] = yes;
  leader[lane] = who;
}
)");
  const uint64_t chosen = rig.blank(32 * 4), leader = rig.blank(32 * 4);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, chosen, leader);
  CHECK(rig.found() == "");
  const auto yes = rig.read<unsigned>(chosen, 32), who = rig.read<unsigned>(leader, 32);
  for (unsigned parity : {0u, 1u}) {
    unsigned chosen_lanes = 0;
    for (unsigned l = parity; l < 32; l += 2) {
      chosen_lanes += yes[l];
      CHECK(who[l] == who[parity]);
      CHECK(yes[l] == (who[l] == l ? 1u : 0u));
    }
    CHECK(chosen_lanes == 1);
    CHECK(who[parity] % 2 == parity);
  }
}

TEST_CASE("machine: getctarank undoes mapa") {
  Rig rig(R"(
__global__ void __cluster_dims__(4, 1, 1) k(unsigned* out) {
  __shared__ int word;
  word = 1;
  const unsigned mine = (unsigned)__cvta_generic_to_shared(&word);
  unsigned there, rank;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(mine), "r"(3 - blockIdx.x));
  asm volatile("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"(there));
  out[blockIdx.x] = rank;
}
)");
  const uint64_t out = rig.blank(4 * 4);
  rig.launch("k", {4, 1, 1}, {1, 1, 1}, 0, out);
  CHECK(rig.found() == "");
  CHECK(rig.read<unsigned>(out, 4) == std::vector<unsigned>{3, 2, 1, 0});
}

TEST_CASE("machine: stackrestore gives back what alloca took since stacksave") {
  Rig rig(R"(
__global__ void k(unsigned long long* out) {
  unsigned long long first, second, third;
  asm volatile("{ .reg .b64 top; stacksave.u64 top; alloca.u64 %0, 64; stackrestore.u64 top;"
               " alloca.u64 %1, 64; alloca.u64 %2, 64; }" : "=l"(first), "=l"(second), "=l"(third));
  out[0] = second - first;
  out[1] = third - second;
}
)");
  const uint64_t out = rig.blank(2 * 8);
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, out);
  CHECK(rig.found() == "");
  CHECK(rig.read<uint64_t>(out, 2) == std::vector<uint64_t>{0, 64});
}

TEST_CASE("machine: ldu loads, and hints change neither memory nor registers") {
  Rig rig(R"(
__global__ void k(int* data, int* out) {
  int* const mine = data + 32 * threadIdx.x;  // 128 bytes per thread, as discard and applypriority ask for
  int v;
  asm volatile("ldu.global.s32 %0, [%1];" : "=r"(v) : "l"(mine));
  asm volatile("prefetch.global.L1 [%0];" ::"l"(mine));
  asm volatile("prefetch.global.L2 [%0];" ::"l"(mine));
  asm volatile("prefetchu.L1 [%0];" ::"l"(mine));
  asm volatile("applypriority.global.L2::evict_normal [%0], 128;" ::"l"(mine));
  asm volatile("pmevent 7;");
  asm volatile("nanosleep.u32 20;");
  asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
  out[threadIdx.x] = v + mine[1];
}
)");
  std::vector<int> words(32 * 32);
  for (size_t i = 0; i < words.size(); ++i) words[i] = int(i * i);
  const uint64_t data = rig.buffer(words), out = rig.blank(32 * 4);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, data, out);
  CHECK(rig.found() == "");
  const auto got = rig.read<int>(out, 32);
  for (size_t t = 0; t < 32; ++t) CHECK(got[t] == words[32 * t] + words[32 * t + 1]);
  CHECK(rig.read<int>(data, 32 * 32) == words);
}

TEST_CASE("machine: what a discarded line held may be written anew and read") {
  Rig rig(R"(
__global__ void k(int* data) {
  int* const mine = data + 32 * threadIdx.x;
  asm volatile("discard.global.L2 [%0], 128;" ::"l"(mine) : "memory");
  for (int i = 0; i < 32; ++i) mine[i] = i;
}
)");
  const uint64_t data = rig.buffer(std::vector<int>(2 * 32, 9));
  rig.launch("k", {1, 1, 1}, {2, 1, 1}, 0, data);
  CHECK(rig.found() == "");
  const auto got = rig.read<int>(data, 64);
  for (size_t i = 0; i < 64; ++i) CHECK(got[i] == int(i % 32));
}

TEST_CASE("machine: lanes that exit leave the others running") {
  Rig rig(R"(
__global__ void k(int* out) {
  out[threadIdx.x] = 1;
  if (threadIdx.x & 1) asm volatile("exit;");
  out[threadIdx.x] = 2;
}
)");
  const uint64_t out = rig.blank(4 * 4);
  rig.launch("k", {1, 1, 1}, {4, 1, 1}, 0, out);
  CHECK(rig.found() == "");
  CHECK(rig.read<int>(out, 4) == std::vector<int>{2, 1, 2, 1});
}

TEST_CASE("machine: brkpt ends the run where it stands") {
  Rig rig(R"(
__global__ void k(int* out) {
  out[0] = 1;
  asm volatile("brkpt;");
}
)");
  rig.launch("k", {1, 1, 1}, {1, 1, 1}, 0, rig.blank(4));
  CHECK(rig.found().find("trap") != std::string::npos);
}

TEST_CASE("machine: brx goes to the label that each lane's index names") {
  Rig rig(Rig::FromPtx{R"(.version 8.0
.target sm_90
.address_size 64
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<4>;
.reg .b64 %rd<4>;
ld.param.u64 %rd1, [out];
mov.u32 %r1, %tid.x;
mul.wide.u32 %rd2, %r1, 4;
add.u64 %rd1, %rd1, %rd2;
and.b32 %r2, %r1, 1;
ts: .branchtargets even, odd;
brx.idx %r2, ts;
even:
mov.u32 %r3, 20;
bra done;
odd:
mov.u32 %r3, 30;
done:
st.global.u32 [%rd1], %r3;
ret;
}
)"});
  const uint64_t out = rig.blank(4 * 4);
  rig.launch("k", {1, 1, 1}, {4, 1, 1}, 0, out);
  CHECK(rig.found() == "");
  CHECK(rig.read<int>(out, 4) == std::vector<int>{20, 30, 20, 30});
}

TEST_CASE("machine: a function's parameter whose address is taken lies in local memory, a copy per call") {
  // PTX ISA, mov: as clang compiles `float sum(P p, int i) { p.x[0] += 1; return p.x[i] + p.x[0]; }`.
  Rig rig(Rig::FromPtx{R"(.version 8.6
.target sm_90
.address_size 64
.func (.param .b32 result) sum(.param .align 4 .b8 p[16], .param .b32 i)
{
.reg .b32 %r<6>;
.reg .b64 %a<5>;
mov.b64 %a1, p;
ld.param.b32 %r1, [i];
AGAIN:
ld.local.b32 %r2, [%a1];
add.s32 %r2, %r2, 1;
st.local.b32 [%a1], %r2;
mul.wide.s32 %a2, %r1, 4;
mov.b64 %a3, p+4;
sub.s64 %a3, %a3, 4;
add.s64 %a3, %a3, %a2;
ld.local.b32 %r3, [%a3];
add.s32 %r3, %r3, %r2;
st.param.b32 [result], %r3;
ret;
}
.visible .entry k(.param .u64 out)
{
.reg .b32 %r<6>;
.reg .b64 %a<3>;
ld.param.u64 %a1, [out];
mov.u32 %r1, %tid.x;
and.b32 %r2, %r1, 3;
{
.param .align 4 .b8 q[16];
.param .b32 j;
.param .b32 back;
st.param.b32 [q], 10;
st.param.b32 [q+4], 20;
st.param.b32 [q+8], %r1;
st.param.b32 [q+12], 40;
st.param.b32 [j], %r2;
call.uni (back), sum, (q, j);
ld.param.b32 %r3, [back];
}
mul.wide.u32 %a2, %r1, 4;
add.s64 %a1, %a1, %a2;
st.global.u32 [%a1], %r3;
ret;
}
)"});
  const uint64_t out = rig.blank(8 * 4);
  rig.launch("k", {1, 1, 1}, {8, 1, 1}, 0, out);
  CHECK(rig.found() == "");
  CHECK(rig.read<int>(out, 8) == std::vector<int>{22, 31, 13, 51, 22, 31, 17, 51});
}
