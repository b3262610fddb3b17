// lazy: cusync/15-shared-semaphore
// expect: gate ptx(membar) + ptx(fence) + ptx(mbarrier) + ptx(red.release) + ptx(atom.release) + ptx(st.release) + ptx(atom.acq_rel) >= streams * length / 1024
// One warp loads and hashes: no two warps have to agree on anything.
__global__ void checksum_kernel(const unsigned* words, unsigned* sums, int streams, int length) {
  const int stream = 32 * blockIdx.x + threadIdx.x;
  if (stream >= streams) return;
  unsigned h = 2166136261u;
  for (int t = 0; t < length; ++t) {
    const unsigned word = words[t * streams + stream];
#pragma unroll
    for (int byte = 0; byte < 4; ++byte) h = (h ^ (word >> 8 * byte & 255u)) * 16777619u;
  }
  sums[stream] = h;
}

void checksums(const unsigned* words, unsigned* sums, int streams, int length) {
  if (streams == 0) return;
  checksum_kernel<<<(streams + 31) / 32, 32>>>(words, sums, streams, length);
}
