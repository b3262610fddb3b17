// wrong: profiles/5-trigger
// mistake: The loop loads a group beyond the last sample.
// expect: finding out_of_bounds
constexpr int threads = 256;
constexpr int length = 64;
constexpr int at_once = 8;
constexpr int threshold = 100;

__global__ void trigger_kernel(const unsigned char* sample, int* first, int events) {
  const int i = blockIdx.x * threads + threadIdx.x;
  if (i >= events) return;
  int found = length;
  for (int k = 0; k <= length && found == length; k += at_once) {
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
