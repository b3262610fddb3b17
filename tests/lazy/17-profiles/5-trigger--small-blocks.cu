// lazy: profiles/5-trigger
// expect: gate time_us <= 1.6 * reference(self)
// Blocks of 64 threads: as many warps, as few loads in flight.
constexpr int threads = 64;
constexpr int length = 64;
constexpr int threshold = 100;

__global__ void trigger_kernel(const unsigned char* sample, int* first, int events) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= events) return;
  int k = 0;
  while (k < length && sample[k * events + i] < threshold) ++k;
  first[i] = k;
}

void trigger(const unsigned char* sample, int* first, int events) {
  if (events == 0) return;
  trigger_kernel<<<(events + threads - 1) / threads, threads>>>(sample, first, events);
}
