// Warp functions beside shuffles: matches, partitions of groups, packed integers, stated roundings.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>
#include <cstdio>

namespace cg = cooperative_groups;

__global__ void matches(int* out) {
  const int lane = threadIdx.x;
  const unsigned peers = __match_any_sync(0xffffffff, lane % 5), wide = __match_any_sync(0xffffffff, (lane % 3) * (1LL << 40));
  int same = 0, other = 0;
  const unsigned all = __match_all_sync(0xffffffff, 7, &same), none = __match_all_sync(0xffffffff, lane, &other);
  out[lane] = __popc(peers) * 100 + __popc(wide);
  if (lane == 6) printf("%08x %08x %08x %d %08x %d\n", peers, wide, all, same, none, other);
}

__global__ void groups(int* out) {
  const auto tile = cg::tiled_partition<8>(cg::this_thread_block());
  const auto label = cg::labeled_partition(tile, int(threadIdx.x % 3));
  const auto half = cg::binary_partition(tile, threadIdx.x % 2 == 0);
  const int before = cg::exclusive_scan(tile, int(threadIdx.x), cg::plus<int>());
  const int upto = cg::inclusive_scan(tile, 1);
  out[threadIdx.x] = before * 10000 + upto * 1000 + label.size() * 100 + label.thread_rank() * 10 + half.thread_rank();
}

__global__ void packed() {
  printf("%d %d %u %u\n", __hadd(7, 10), __rhadd(-7, -10), __uhadd(7u, 10u), __usad(3u, 9u, 1u));
  printf("%08x %08x %08x %u\n", __vadd4(0x01ff7f80, 0x01010101), __vmaxs2(0x8000ffff, 0x00010001),
         __vcmpgtu4(0x05060708, 0x06060606), __vsadu4(0x01020304, 0x04030201));
  const float third = 1.0f / 3, tiny = 1e-9f;
  printf("%d %d %d\n", __fadd_ru(1, tiny) > 1, __fadd_rd(1, tiny) == 1, __fmul_rz(third, 3) < 1);
  printf("%d %d %d %lld\n", __double2int_rn(2.5), __double2int_ru(2.1), __float2int_rd(-2.1f), __double2ll_rz(-3e10));
  printf("%d %x\n", __double2hiint(1.0), __funnelshift_lc(1, 2, 40));
}

int main() {
  int *out, host[32];
  cudaMalloc(&out, sizeof host);
  matches<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  printf("%d %d %d\n", host[0], host[1], host[2]);
  groups<<<1, 32>>>(out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 8; i < 16; ++i) printf("%d ", host[i]);
  printf("\n");
  packed<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
  cudaFree(out);
}
