// wrong: first-launch/6-ladder
// mistake: The walk begins at a variable without a value. Begin at element 0: int p = 0.
// expect: finding out_of_bounds
// How long is a load? Four chases, one per level of memory: shared memory, L1, L2, DRAM. Bound by
// latency: one thread with one load in flight. ring[p] holds the next p. Only the first int of each
// 128-byte line is used: every step is a new line.
__device__ int follow(const int* ring, int steps) {
  int p;
  for (int k = 0; k < steps; ++k) p = ring[p];  // each address is the value of the load before
  return p;
}

/// One thread. `end`: where the chase ended. `cycles`: clock cycles per step.
__global__ void chase_shared(const int* ring, int lines, int steps, int* end, float* cycles) {
  extern __shared__ int copy[];
  for (int line = 0; line < lines; ++line) copy[32 * line] = ring[32 * line];
  const long long start = clock64();
  *end = follow(copy, steps);
  *cycles = float(clock64() - start) / steps;
}

/// The same chase in global memory. The first walk (`warm` steps) loads the ring into the caches.
__global__ void chase_global(const int* ring, int warm, int steps, int* end, float* cycles) {
  *end = follow(ring, warm);
  const long long start = clock64();
  *end = follow(ring, steps);
  *cycles = float(clock64() - start) / steps;
}

/// `small` fits in L1 and in shared memory, `medium` in L2 but not in L1, `large` in no cache.
void ladder(const int* small, int small_lines, const int* medium, int medium_lines,
            const int* large, int steps, int* end, float* cycles) {
  chase_shared<<<1, 1, small_lines * 128>>>(small, small_lines, steps, end + 0, cycles + 0);
  chase_global<<<1, 1>>>(small, small_lines, steps, end + 1, cycles + 1);
  chase_global<<<1, 1>>>(medium, medium_lines, steps, end + 2, cycles + 2);
  chase_global<<<1, 1>>>(large, 0, steps, end + 3, cycles + 3);
}
