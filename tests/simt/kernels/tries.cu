// Insertion into an open table by compare-and-swap. `probes`: how often each thread tried.
__global__ void insert(unsigned* table, unsigned slots, unsigned* probes) {
  const unsigned key = blockIdx.x * blockDim.x + threadIdx.x + 1;
  unsigned at = key * 2654435761u >> 7, tries = 1;
  while (atomicCAS(&table[at & (slots - 1)], 0u, key) != 0) ++at, ++tries;
  probes[key - 1] = tries;
}
