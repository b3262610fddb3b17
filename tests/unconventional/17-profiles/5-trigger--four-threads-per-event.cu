// unconventional: profiles/5-trigger
// Four threads share an event, each with a quarter of its samples.
constexpr int threads = 256;
constexpr int length = 64;
constexpr int threshold = 100;
constexpr int per_block = threads / 4;

__global__ void trigger_kernel(const unsigned char* sample, int* first, int events) {
  __shared__ int found[4][per_block];
  const int part = threadIdx.x / per_block, column = threadIdx.x % per_block;
  const int i = blockIdx.x * per_block + column;
  int here = length;
  if (i < events) {
#pragma unroll
    for (int k = (part + 1) * 16 - 1, j = 0; j < 16; ++j, --k)
      if (sample[k * events + i] >= threshold) here = k;
  }
  found[part][column] = here;
  __syncthreads();
  if (part == 0 && i < events)
    first[i] = min(min(here, found[1][column]), min(found[2][column], found[3][column]));
}

void trigger(const unsigned char* sample, int* first, int events) {
  if (events == 0) return;
  trigger_kernel<<<(events + per_block - 1) / per_block, threads>>>(sample, first, events);
}
