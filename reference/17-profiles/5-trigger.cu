// A detector records events of 64 samples of 8 bits. For each event: the first sample of at least
// 100, or 64 if there is none. Sample k of event i is at k * events + i.
// A thread asks for eight samples before it looks at the first: eight loads in flight. Some were
// not needed, and still the wait is shorter. Bound by L2 and DRAM bandwidth.
constexpr int threads = 256;
constexpr int length = 64;
constexpr int at_once = 8;
constexpr int threshold = 100;

__global__ void trigger_kernel(const unsigned char* sample, int* first, int events) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= events) return;
  int found = length;
  for (int k = 0; k < length && found == length; k += at_once) {
    int value[at_once];
    for (int j = 0; j < at_once; ++j) value[j] = sample[(k + j) * events + i];
    for (int j = at_once - 1; j >= 0; --j)
      if (value[j] >= threshold) found = k + j;
  }
  first[i] = found;
}

void trigger(const unsigned char* sample, int* first, int events) {
  if (events == 0) return;
  trigger_kernel<<<(events + threads - 1) / threads, threads>>>(sample, first, events);
}
