// Cooperative groups: tiles of several sizes side by side in one warp, coalesced groups, votes and reductions.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <cstdio>

namespace cg = cooperative_groups;

template <int Size>
__global__ void tile_sums(const int* in, int* out) {
  auto tile = cg::tiled_partition<Size>(cg::this_thread_block());
  int v = in[threadIdx.x];
  for (int d = tile.size() / 2; d > 0; d /= 2) v += tile.shfl_down(v, d);
  if (tile.thread_rank() == 0) out[threadIdx.x / Size] = v;
}

/// Each tile's own vote, and a word in shared memory that only the tile synchronises on.
__global__ void tile_votes(const int* in, int* out) {
  __shared__ int first[16];
  auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  int at = tile.meta_group_rank();
  unsigned odd = tile.ballot(in[threadIdx.x] % 2);
  if (tile.thread_rank() == 0) first[at] = in[threadIdx.x];
  tile.sync();
  out[threadIdx.x] = first[at] * 1000 + __popc(odd) * 10 + (tile.any(in[threadIdx.x] > 60) ? 1 : 0);
}

__global__ void reduced(const int* in, int* out) {
  auto tile = cg::tiled_partition<16>(cg::this_thread_block());
  int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
  int most = cg::reduce(tile, in[threadIdx.x], cg::greater<int>());
  if (tile.thread_rank() == 0) out[tile.meta_group_rank()] = sum * 100 + most;
}

/// One atomic for all lanes that take the branch.
__global__ void compacted(const int* in, int* out, int* length) {
  int v = in[threadIdx.x];
  if (v % 3 == 0) {
    cg::coalesced_group active = cg::coalesced_threads();
    int base = 0;
    if (active.thread_rank() == 0) base = atomicAdd(length, int(active.size()));
    base = active.shfl(base, 0);
    out[base + active.thread_rank()] = v;
  }
}

__global__ void branches(int* out) {
  auto tile = cg::tiled_partition<4>(cg::this_thread_block());
  int v = threadIdx.x;
  // Tiles go different ways; each is together in its own.
  if (tile.meta_group_rank() % 2) {
    for (int d = 2; d > 0; d /= 2) v += tile.shfl_xor(v, d);
  } else {
    v = tile.shfl(v, 3);
  }
  out[threadIdx.x] = v;
}

int main() {
  int h[128], r[128];
  for (int i = 0; i < 128; ++i) h[i] = (i * 29) % 64;
  int *in, *out;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, 129 * sizeof(int));
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  auto back = [&](int n) { cudaMemcpy(r, out, n * sizeof(int), cudaMemcpyDeviceToHost); };
  tile_sums<32><<<1, 128>>>(in, out);
  back(4);
  printf("32: %d %d\n", r[0], r[3]);
  tile_sums<4><<<1, 128>>>(in, out);
  back(32);
  printf("4: %d %d\n", r[0], r[31]);
  tile_votes<<<1, 128>>>(in, out);
  back(128);
  printf("votes: %d %d %d\n", r[0], r[8], r[127]);
  reduced<<<1, 128>>>(in, out);
  back(8);
  printf("reduced: %d %d\n", r[0], r[7]);
  cudaMemset(out, 0, 129 * sizeof(int));
  compacted<<<1, 128>>>(in, out, out + 128);
  int length = 0;
  cudaMemcpy(&length, out + 128, sizeof length, cudaMemcpyDeviceToHost);
  back(length);
  int sum = 0;
  for (int i = 0; i < length; ++i) sum += r[i];
  printf("compacted: %d of sum %d\n", length, sum);
  branches<<<1, 32>>>(out);
  back(32);
  printf("branches: %d %d %d %d\n", r[0], r[4], r[12], r[31]);
  cudaFree(in);
  cudaFree(out);
}
