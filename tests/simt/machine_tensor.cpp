#include "machine_rig.hpp"

using namespace dojo;
using dojo::test::Rig;

TEST_CASE("machine: mma.sync and ldmatrix multiply as their documented layouts say") {
  Rig rig(R"(
__global__ void k(const unsigned short* a, const unsigned short* b, float* c) {
  __shared__ __align__(16) unsigned short sa[16 * 16], sb[16 * 8];
  int t = threadIdx.x;
  for (int i = t; i < 256; i += 32) sa[i] = a[i];
  for (int i = t; i < 128; i += 32) sb[i] = b[i];
  __syncwarp();
  unsigned A[4], B[2];
  float C[4] = {0, 0, 0, 0};
  unsigned pa = (unsigned)__cvta_generic_to_shared(&sa[(t % 16) * 16 + t / 16 * 8]);
  unsigned pb = (unsigned)__cvta_generic_to_shared(&sb[(t % 16) * 8]);
  asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
    : "=r"(A[0]), "=r"(A[1]), "=r"(A[2]), "=r"(A[3]) : "r"(pa));
  asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];"
    : "=r"(B[0]), "=r"(B[1]) : "r"(pb));
  asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
    "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
    : "+f"(C[0]), "+f"(C[1]), "+f"(C[2]), "+f"(C[3])
    : "r"(A[0]), "r"(A[1]), "r"(A[2]), "r"(A[3]), "r"(B[0]), "r"(B[1]));
  c[(t / 4) * 8 + t % 4 * 2] = C[0];
  c[(t / 4) * 8 + t % 4 * 2 + 1] = C[1];
  c[(t / 4 + 8) * 8 + t % 4 * 2] = C[2];
  c[(t / 4 + 8) * 8 + t % 4 * 2 + 1] = C[3];
}
)");
  std::vector<uint16_t> a(256), b(128);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float_to_half(float(int(i * 7 % 23) - 11));
  for (size_t i = 0; i < b.size(); ++i) b[i] = float_to_half(float(int(i * 5 % 19) - 9));
  uint64_t c = rig.blank(128 * 4);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, rig.buffer(a), rig.buffer(b), c);
  rig.run();
  auto got = rig.read<float>(c, 128);
  for (int i = 0; i < 16; ++i)
    for (int j = 0; j < 8; ++j) {
      float sum = 0;
      for (int k = 0; k < 16; ++k)
        sum += half_to_float(a[size_t(i * 16 + k)]) * half_to_float(b[size_t(k * 8 + j)]);
      CHECK(got[size_t(i * 8 + j)] == sum);
    }
  CHECK(rig.findings.empty());
}

TEST_CASE("machine: asynchronous copies arrive, what lies beyond the source size is zero") {
  Rig rig(R"(
__global__ void k(const float* a, float* b) {
  __shared__ __align__(16) float s[128];
  int t = threadIdx.x;
  unsigned to = (unsigned)__cvta_generic_to_shared(&s[t * 4]);
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;"
    :: "r"(to), "l"(a + t * 4), "r"(t == 31 ? 8 : 16));
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;");
  __syncthreads();
  for (int i = t; i < 128; i += 32) b[i] = s[i];
}
)");
  std::vector<float> a(128);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i) + 1;
  uint64_t b = rig.blank(512);
  rig.launch("k", {1, 1, 1}, {32, 1, 1}, 0, rig.buffer(a), b);
  rig.run();
  auto got = rig.read<float>(b, 128);
  for (size_t i = 0; i < 126; ++i) CHECK(got[i] == a[i]);
  CHECK(got[126] == 0);
  CHECK(got[127] == 0);
  CHECK(rig.findings.empty());
}

TEST_CASE("machine: blocks of a cluster read each other's shared memory") {
  Rig rig(R"(
__global__ void __cluster_dims__(2, 1, 1) k(int* out) {
  __shared__ int s[32];
  unsigned rank;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  s[threadIdx.x] = int(rank) * 100 + threadIdx.x;
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  unsigned mine = (unsigned)__cvta_generic_to_shared(&s[31 - threadIdx.x]), other;
  asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(other) : "r"(mine), "r"(rank ^ 1));
  int v;
  asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(other));
  asm volatile("barrier.cluster.arrive.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
  out[blockIdx.x * 32 + threadIdx.x] = v;
}
)");
  uint64_t out = rig.blank(4 * 32 * 4);
  rig.launch("k", {4, 1, 1}, {32, 1, 1}, 0, out).spec.cluster = {1, 1, 1};
  CHECK(rig.found() == "");
  auto v = rig.read<int>(out, 128);
  for (int b = 0; b < 4; ++b)
    for (int t = 0; t < 32; ++t) CHECK(v[size_t(b * 32 + t)] == ((b & 1) ^ 1) * 100 + 31 - t);
}
