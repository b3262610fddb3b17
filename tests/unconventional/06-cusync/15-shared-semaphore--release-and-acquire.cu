// unconventional: cusync/15-shared-semaphore
// Posts are reductions that release and polls are loads that acquire, at the scope of the
// block: no fence is needed.
constexpr int depth = 32;  // words per lane and tile
constexpr int places = 2;  // tiles in the ring

__device__ void post(int* s) {
  __syncwarp();
  if (threadIdx.x % 32 == 0)
    asm volatile(
        "red.release.cta.shared::cta.add.u32 [%0], 1;" ::"r"((unsigned)__cvta_generic_to_shared(s))
        : "memory");
}
__device__ void wait(int* s, int posts) {
  int v = 0;
  if (threadIdx.x % 32 == 0) do
      asm volatile("ld.acquire.cta.shared::cta.s32 %0, [%1];"
                   : "=r"(v)
                   : "r"((unsigned)__cvta_generic_to_shared(s))
                   : "memory");
    while (v < posts);
  __syncwarp();
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
  const int stream = 32 * blockIdx.x + threadIdx.x % 32;
  const int tiles = (length + depth - 1) / depth;
  __shared__ int full, empty;
  if (threadIdx.x == 0) full = empty = 0;
  __syncthreads();
  if (threadIdx.x < 32) {
    for (int k = 0; k < tiles; ++k) {
      wait(&empty, k - places + 1);
      load(words, ring[k % places], k * depth, stream, streams, length);
      post(&full);
    }
  } else {
    unsigned h = 2166136261u;
    for (int k = 0; k < tiles; ++k) {
      wait(&full, k + 1);
      h = hash(h, ring[k % places], min(depth, length - k * depth));
      post(&empty);
    }
    if (stream < streams) sums[stream] = h;
  }
}

void checksums(const unsigned* words, unsigned* sums, int streams, int length) {
  if (streams == 0) return;
  checksum_kernel<<<(streams + 31) / 32, 64>>>(words, sums, streams, length);
}
