// The kernels of random_words.cu, without a clock, so that the SIMT machine's time model can run them too.
#pragma once

/// Where a thread's accesses are: in a table of `words` (a power of two), `share` consecutive threads at one
/// word, and `group` such words side by side, at a random multiple of `group` (both powers of two).
struct Place {
  unsigned words, share, group;

  __device__ unsigned word(unsigned thread) const {
    const unsigned place = thread / share;
    unsigned x = place / group;
    x ^= x >> 16, x *= 0x7feb352du, x ^= x >> 15, x *= 0x846ca68bu, x ^= x >> 16;
    return (x * group + place % group) & (words - 1);
  }
};

enum class Access { load, add, add_and_read, swap };

/// `rounds` accesses of each thread, none of which waits for another. Only loads and results are waited for,
/// all at the end.
template <Access ACCESS>
__device__ inline void random_words_body(int* table, Place place, unsigned rounds) {
  unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
  int read = 0;
  for (unsigned r = 0; r < rounds; ++r, thread += gridDim.x * blockDim.x) {
    int* const word = table + place.word(thread);
    if (ACCESS == Access::load) read |= *word;
    if (ACCESS == Access::add) atomicAdd(word, 1);
    if (ACCESS == Access::add_and_read) read |= atomicAdd(word, 1);
    if (ACCESS == Access::swap) read |= atomicCAS(word, 0, 0);
  }
  if (read == -7) table[0] = 1;
}
