// unconventional: profiles/5-trigger
// No early end: all 64 samples are loaded, in an order that the compiler may choose.
constexpr int threads = 256;
constexpr int length = 64;
constexpr int threshold = 100;

__global__ void trigger_kernel(const unsigned char* sample, int* first, int events) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= events) return;
  int found = length;
#pragma unroll 16
  for (int k = length - 1; k >= 0; --k)
    if (sample[k * events + i] >= threshold) found = k;
  first[i] = found;
}

void trigger(const unsigned char* sample, int* first, int events) {
  if (events == 0) return;
  trigger_kernel<<<(events + threads - 1) / threads, threads>>>(sample, first, events);
}
