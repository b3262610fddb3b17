// lazy: profiles/5-trigger
// expect: gate time_us <= 1.6 * reference(self)
// Unrolled, and each load still waits for the test before it.
constexpr int threads = 256;
constexpr int length = 64;
constexpr int threshold = 100;

__global__ void trigger_kernel(const unsigned char* sample, int* first, int events) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= events) return;
  int k = 0;
#pragma unroll
  for (; k < length; ++k)
    if (sample[k * events + i] >= threshold) break;
  first[i] = k;
}

void trigger(const unsigned char* sample, int* first, int events) {
  if (events == 0) return;
  trigger_kernel<<<(events + threads - 1) / threads, threads>>>(sample, first, events);
}
