// Shared-memory wavefronts where machine code is not what the PTX says: loads that ptxas merges over the
// turns of a loop that it unrolls, and fragments of tensor cores. The figures are an H100's
// (assets/recordings/h100-counters.json).
#include "../left_out.hpp"
#include "device_fixture.hpp"

using namespace dojo;
using dojo::test::Kernels;

namespace {
const char* const kLoads = "smsp__inst_executed_op_shared_ld.sum";
const char* const kLoadWaves = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_ld.sum";
const char* const kStoreWaves = "smsp__sass_l1tex_data_pipe_lsu_wavefronts_mem_shared_op_st.sum";
const char* const kLoadConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_ld.sum";
const char* const kStoreConflicts = "l1tex__data_bank_conflicts_pipe_lsu_mem_shared_op_st.sum";
bool left_out_without_assembler() {
  return dojo::needs::left_out_without(
      "an assembler of machine code",
      assemble(".version 8.0\n.target sm_90\n.address_size 64\n", "sm_90").ok);
}
}  // namespace

TEST_CASE("wavefronts: loads merged over the turns of an unrolled loop count once for all of them") {
  if (left_out_without_assembler()) return;
  // Two rows of 16 lanes read a row of a 64 x 16 tile each: 16 bytes are 4 turns, and take 2 wavefronts.
  Kernels k(R"(
__global__ void rows(const float* in, float* out) {
  __shared__ float a[64][16], b[16][64];
  int x = threadIdx.x, y = threadIdx.y;
  for (int i = y * 16 + x; i < 1024; i += 256) (&a[0][0])[i] = in[i], (&b[0][0])[i] = in[i + 1];
  __syncthreads();
  float sum = 0;
  for (int p = 0; p < 16; ++p) sum += a[y][p] * b[p][x];
  out[y * 16 + x] = sum;
})");
  const LaunchReport r = k.run(
      k.spec("rows", {1, 1, 1}, {16, 16, 1}, k.buffer_of(std::vector<float>(1025, 1.f)), k.buffer(1024)));
  // b: 16 loads of a wavefront each; a: 16 values, in loads of whatever width, 2 wavefronts for each of 16
  // bytes.
  const double loads = r.counters.at(kLoads) / 8, waves = r.counters.at(kLoadWaves) / 8;
  const double merged = loads - 16;
  CAPTURE(loads);
  if (merged == 4) CHECK(waves == 16 + 4 * 2);
  if (merged == 16) CHECK(waves == 16 + 16);
  CHECK((merged == 4 || merged == 8 || merged == 16));
}

TEST_CASE("wavefronts: fragments of wmma as an H100 counts them") {
  if (left_out_without_assembler()) return;
  Kernels k(R"(
#include <cuda_fp16.h>
#include <mma.h>
using namespace nvcuda;
__global__ void tile(const float* in, float* out) {
  __shared__ alignas(32) half a[16][24], b[16][72];
  __shared__ alignas(32) float c[16][68];
  for (int i = threadIdx.x; i < 16 * 16; i += 32) {
    a[i / 16][i % 16] = __float2half(in[i]);
    b[i / 16][i % 16] = __float2half(in[i]);
    c[i / 16][i % 16] = in[i];
  }
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> u;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> v;
  wmma::load_matrix_sync(sum, &c[0][0], 68, wmma::mem_row_major);
  wmma::load_matrix_sync(u, &a[0][0], 24);
  wmma::load_matrix_sync(v, &b[0][0], 72);
  wmma::mma_sync(sum, u, v, sum);
  __syncthreads();
  wmma::store_matrix_sync(&c[0][0], sum, 68, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 16 * 16; i += 32) out[i] = c[i / 16][i % 16];
})");
  const LaunchReport r =
      k.run(k.spec("tile", {1, 1, 1}, {32, 1, 1}, k.buffer_of(std::vector<float>(256, 1.f)), k.buffer(1024)));
  // Sums: 4 loads of 8 bytes a lane at a pitch of 68 floats, 2 wavefronts more than the 2 they need. A and B
  // come by LDSM, which these counters leave out.
  CHECK(r.counters.at(kLoads) == 4 + 8);
  CHECK(r.counters.at(kLoadConflicts) == 4 * 2 + 8);
  CHECK(r.counters.at(kLoadWaves) == 4 * 4 + 8 * 2);
  CHECK(r.counters.at(kStoreWaves) >= 4 * 4 + 8 * 2);
}

TEST_CASE("wavefronts: fragments of bytes as an H100 counts them") {
  if (left_out_without_assembler()) return;
  Kernels k(R"(
#include <mma.h>
using namespace nvcuda;
__global__ void tile(const signed char* in, int* out) {
  __shared__ alignas(32) signed char a[16][32], b[16][32];
  __shared__ alignas(32) int c[16][68];
  for (int i = threadIdx.x; i < 16 * 16; i += 32) {
    a[i / 16][i % 16] = in[i];
    b[i / 16][i % 16] = in[i];
  }
  __syncthreads();
  wmma::fragment<wmma::accumulator, 16, 16, 16, int> sum;
  wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> u;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> v;
  wmma::fill_fragment(sum, 0);
  wmma::load_matrix_sync(u, &a[0][0], 32);
  wmma::load_matrix_sync(v, &b[0][0], 32);
  wmma::mma_sync(sum, u, v, sum);
  wmma::store_matrix_sync(&c[0][0], sum, 68, wmma::mem_row_major);
  __syncthreads();
  for (int i = threadIdx.x; i < 16 * 16; i += 32) out[i] = c[i / 16][i % 16];
})");
  const LaunchReport r = k.run(
      k.spec("tile", {1, 1, 1}, {32, 1, 1}, k.buffer_of(std::vector<signed char>(256, 1)), k.buffer(1024)));
  // matmul/11-int8 on an H100, per warp and 16 x 16 x 16: B by rows is 8 loads of bytes with 4 wavefronts
  // each. A comes by LDSM.64, whose 2 conflicts are counted and nothing else. Sums are stored as those of
  // floats are.
  CHECK(r.counters.at(kLoads) == 8 + 8);
  CHECK(r.counters.at(kLoadWaves) == 8 * 4 + 8 * 2);
  CHECK(r.counters.at(kLoadConflicts) == 8 * 3 + 2 + 8);
  CHECK(r.counters.at(kStoreWaves) - r.counters.at(kStoreConflicts) == 16 + 4 * 2);
}
