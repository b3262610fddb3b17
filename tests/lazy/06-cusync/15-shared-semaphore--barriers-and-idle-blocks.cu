// lazy: cusync/15-shared-semaphore
// expect: gate barriers <= streams / 4
// Two barriers per tile and no semaphore. Idle blocks raise the number of warps.
constexpr int depth = 32;  // words per lane and tile
constexpr int places = 2;  // tiles in the ring

// TODO: post() and wait() on a counter in shared memory, each called by a whole warp. They have the
// parts of step 4. __syncwarp() stands for the barrier, and __threadfence_block() for the fence.

// The tile's words of this lane's stream, all loads in flight at once. Zeros past the end.
__device__ void load(const unsigned* words, unsigned tile[depth][32], int t0, int stream,
                     int streams, int length) {
  unsigned word[depth];
#pragma unroll
  for (int t = 0; t < depth; ++t)
    word[t] = stream < streams && t0 + t < length ? words[(t0 + t) * streams + stream] : 0u;
#pragma unroll
  for (int t = 0; t < depth; ++t) tile[t][threadIdx.x % 32] = word[t];
}

__device__ unsigned hash(unsigned h, const unsigned tile[depth][32], int count) {
  for (int t = 0; t < count; ++t)
#pragma unroll
    for (int byte = 0; byte < 4; ++byte)  // each multiplication waits for the one before
      h = (h ^ (tile[t][threadIdx.x % 32] >> 8 * byte & 255u)) * 16777619u;
  return h;
}

__global__ void checksum_kernel(const unsigned* words, unsigned* sums, int streams, int length) {
  __shared__ unsigned ring[places][depth][32];
  const int stream = 32 * blockIdx.x + threadIdx.x % 32;
  const int tiles = (length + depth - 1) / depth;
  if (stream - threadIdx.x % 32 >= streams) return;
  unsigned h = 2166136261u;
  for (int k = 0; k < tiles; ++k) {
    if (threadIdx.x < 32) load(words, ring[k % places], k * depth, stream, streams, length);
    __threadfence_block();
    __syncthreads();  // the tile is stored
    if (threadIdx.x >= 32) h = hash(h, ring[k % places], min(depth, length - k * depth));
    __syncthreads();  // the tile is hashed
  }
  if (threadIdx.x >= 32 && stream < streams) sums[stream] = h;
}

void checksums(const unsigned* words, unsigned* sums, int streams, int length) {
  if (streams == 0) return;
  checksum_kernel<<<16 * ((streams + 31) / 32), 64>>>(words, sums, streams, length);
}
