// lazy: cusync/15-shared-semaphore
// expect: gate shared_load_lane_bytes >= 3.9 * streams * length
// One warp loads and hashes, with a fence per tile that serves nothing. A second warp ends at once.
__global__ void checksum_kernel(const unsigned* words, unsigned* sums, int streams, int length) {
  const int stream = 32 * blockIdx.x + threadIdx.x;
  if (threadIdx.x >= 32 || stream >= streams) return;
  unsigned h = 2166136261u;
  for (int t0 = 0; t0 < length; t0 += 32) {
    __threadfence_block();
    unsigned word[32];
#pragma unroll
    for (int t = 0; t < 32; ++t) word[t] = t0 + t < length ? words[(t0 + t) * streams + stream] : 0u;
#pragma unroll
    for (int t = 0; t < 32; ++t)
      if (t0 + t < length)
#pragma unroll
        for (int byte = 0; byte < 4; ++byte) h = (h ^ (word[t] >> 8 * byte & 255u)) * 16777619u;
  }
  sums[stream] = h;
}

void checksums(const unsigned* words, unsigned* sums, int streams, int length) {
  if (streams == 0) return;
  checksum_kernel<<<(streams + 31) / 32, 64>>>(words, sums, streams, length);
}
