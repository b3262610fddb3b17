// wrong: first-launch/6-ladder
// mistake: Where the walk ends is computed, and the loads do not depend on each other. So many are in flight at once, and the time is throughput, not latency. Load the next index from the ring: p = ring[p].
// expect: finding out_of_bounds
__device__ int follow(const int* ring, int lines, int steps) {
  // The ring has a fixed step: where the walk ends is a product. The loads are independent, for show.
  int sink = 0;
#pragma unroll 16
  for (int k = 0; k < steps; ++k) sink += ring[32 * ((k * 617) % lines)];
  const int step = ring[0] / 32;
  return sink == -1 ? 0 : int((long long)step * steps % lines) * 32;
}

/// One thread. `end`: where the chase ended. `cycles`: clock cycles per step.
__global__ void chase_shared(const int* ring, int lines, int steps, int* end, float* cycles) {
  extern __shared__ int copy[];
  for (int line = 0; line < lines; ++line) copy[32 * line] = ring[32 * line];
  const long long start = clock64();
  *end = follow(copy, lines, steps);
  *cycles = float(clock64() - start) / steps;
}

/// The same chase in global memory. The first walk (`warm` steps) loads the ring into the caches.
__global__ void chase_global(const int* ring, int lines, int warm, int steps, int* end, float* cycles) {
  *end = follow(ring, lines, warm);
  const long long start = clock64();
  *end = follow(ring, lines, steps);
  *cycles = float(clock64() - start) / steps;
}

/// `small` fits in L1 and in shared memory, `medium` in L2 but not in L1, `large` in no cache.
void ladder(const int* small, int small_lines, const int* medium, int medium_lines, const int* large,
            int steps, int* end, float* cycles) {
  chase_shared<<<1, 1, small_lines * 128>>>(small, small_lines, steps, end + 0, cycles + 0);
  chase_global<<<1, 1>>>(small, small_lines, small_lines, steps, end + 1, cycles + 1);
  chase_global<<<1, 1>>>(medium, medium_lines, medium_lines, steps, end + 2, cycles + 2);
  chase_global<<<1, 1>>>(large, 16777216 / 32, 0, steps, end + 3, cycles + 3);
}
