// A detector records events of 64 samples of 8 bits. For each event: the first sample of at least
// 100, or 64 if there is none. Sample k of event i is at k * events + i.
constexpr int threads = 256;
constexpr int length = 64;
constexpr int threshold = 100;

__global__ void trigger_kernel(const unsigned char* sample, int* first, int events) {
  // TODO: read the profile, and remove what limits this kernel.
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
