// Sums of groups of a warp's lanes: as many groups as `groups`, side by side.
__global__ void sums_of_groups(unsigned* out, unsigned groups, int rounds) {
  const unsigned lane = threadIdx.x % 32, mask = __match_any_sync(0xffffffffu, lane * groups / 32);
  unsigned v = lane;
#pragma unroll 1
  for (int r = 0; r < rounds; ++r) v = __reduce_add_sync(mask, v) & 255;
  out[threadIdx.x] = v;
}
