// Sums of groups of a warp's lanes: as many groups as `groups`, side by side.
__global__ void sums_of_groups(unsigned* out, unsigned groups, int rounds) {
  const unsigned lane = threadIdx.x % 32, mask = __match_any_sync(0xffffffffu, lane * groups / 32);
  unsigned v = lane;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) v = __reduce_add_sync(mask, v) & 255;
  out[threadIdx.x] = v;
}

/// Operations of a warp's groups: lane l is of group l % groups (`apart`), or of group l * groups / 32.
#define OF_GROUPS(name, apply)                                                                       \
  __global__ void name##_of_groups(int* out, int groups, int apart, int zero, int rounds) {          \
    const int lane = threadIdx.x % 32;                                                               \
    const unsigned mask = __match_any_sync(0xffffffffu, apart ? lane % groups : lane * groups / 32); \
    int v = lane & zero;                                                                             \
    __syncthreads();                                                                                 \
    _Pragma("unroll 1") for (int r = 0; r < rounds; ++r) v = (apply)&zero;                           \
    out[threadIdx.x] = v;                                                                            \
  }
OF_GROUPS(add, __reduce_add_sync(mask, v))
OF_GROUPS(shuffle, __shfl_sync(mask, v, __ffs(mask) - 1))
OF_GROUPS(any, __any_sync(mask, v))
OF_GROUPS(ballot, int(__ballot_sync(mask, v)))
OF_GROUPS(match, int(__match_any_sync(mask, v)))
OF_GROUPS(sync, (__syncwarp(mask), v + 1))
