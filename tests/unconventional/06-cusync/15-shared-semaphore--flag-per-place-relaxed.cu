// unconventional: cusync/15-shared-semaphore
// A flag per place of the ring, set and cleared by st.relaxed behind a fence.
// The FNV-1a checksum of many streams of words, one stream per lane. One warp of a block loads, the
// other one hashes. Two semaphores in shared memory count tiles: those stored, those hashed.
// Bound by latency: polls, fences and atomics between loads and multiplications.
constexpr int depth = 32;  // words per lane and tile
constexpr int places = 2;  // tiles in the ring

// Called by a whole warp.
__device__ void post(int* semaphore, int value) {
  __syncwarp();  // every lane has stored, or has read
  if (threadIdx.x % 32 == 0) {
    __threadfence_block();  // and the block sees that before it sees the post
    asm volatile(
        "st.relaxed.cta.shared.u32 [%0], %1;" ::"r"(unsigned(__cvta_generic_to_shared(semaphore))),
        "r"(value)
        : "memory");
  }
}

// Called by a whole warp.
__device__ void wait(int* semaphore, int value) {
  if (threadIdx.x % 32 == 0) {
    while (*(volatile int*)semaphore != value) {
    }
    __threadfence_block();  // what was stored before the posts is read after this
  }
  __syncwarp();  // the other lanes go on only now
}

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
  __shared__ int filled[places];
  if (threadIdx.x < places) filled[threadIdx.x] = 0;
  __syncthreads();
  const int stream = 32 * blockIdx.x + threadIdx.x % 32;
  const int tiles = (length + depth - 1) / depth;

  if (threadIdx.x < 32) {  // the warp that loads
    for (int k = 0; k < tiles; ++k) {
      wait(&filled[k % places], 0);  // the tile that was in this place is hashed
      load(words, ring[k % places], k * depth, stream, streams, length);
      post(&filled[k % places], 1);
    }
  } else {  // the warp that hashes
    unsigned h = 2166136261u;
    for (int k = 0; k < tiles; ++k) {
      wait(&filled[k % places], 1);
      h = hash(h, ring[k % places], min(depth, length - k * depth));
      post(&filled[k % places], 0);
    }
    if (stream < streams) sums[stream] = h;
  }
}

void checksums(const unsigned* words, unsigned* sums, int streams, int length) {
  if (streams == 0) return;
  checksum_kernel<<<(streams + 31) / 32, 64>>>(words, sums, streams, length);
}
