// unconventional: cusync/16-one-barrier
// No second warp and no shared memory: the next words are loaded into registers before the present
// ones are hashed.
constexpr int depth = 32;

__device__ void load(const unsigned* words, unsigned word[depth], int t0, int stream, int streams,
                     int length) {
#pragma unroll
  for (int t = 0; t < depth; ++t) word[t] = t0 + t < length ? words[(t0 + t) * streams + stream] : 0u;
}

__global__ void checksum_kernel(const unsigned* words, unsigned* sums, int streams, int length) {
  const int stream = 32 * blockIdx.x + threadIdx.x;
  if (stream >= streams) return;
  unsigned h = 2166136261u;
  unsigned now[depth], next[depth];
  load(words, now, 0, stream, streams, length);
  for (int t0 = 0; t0 < length; t0 += depth) {
    load(words, next, t0 + depth, stream, streams, length);
#pragma unroll
    for (int t = 0; t < depth; ++t) {
      if (t0 + t < length)
#pragma unroll
        for (int byte = 0; byte < 4; ++byte) h = (h ^ (now[t] >> 8 * byte & 255u)) * 16777619u;
      now[t] = next[t];
    }
  }
  sums[stream] = h;
}

void checksums(const unsigned* words, unsigned* sums, int streams, int length) {
  if (streams == 0) return;
  checksum_kernel<<<(streams + 31) / 32, 32>>>(words, sums, streams, length);
}
