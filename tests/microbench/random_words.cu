// Loads and atomics at random words of tables that the L2 holds or not: what each lane's own line costs, and
// each lane's own addition.
//   nvcc -O3 -std=c++17 -arch=sm_90 random_words.cu -o random_words && ./random_words
// Microseconds, as streams.cu's: a graph of (empty the L2, kernel) less one of (empty the L2). `warm`: the L2
// is not emptied.
#include <cstdio>

#include "random_words.cuh"
#include "replay.cuh"

template <Access ACCESS>
__global__ void random_words(int* table, Place place, unsigned rounds) {
  random_words_body<ACCESS>(table, place, rounds);
}

static int* table;
static double emptied, chained;

template <Access ACCESS>
static void measure(const char* name, unsigned blocks, Place place, unsigned rounds) {
  const auto launch = [&] { random_words<ACCESS><<<blocks, 256, 0, g_stream>>>(table, place, rounds); };
  const double cold = replay(true, launch) - emptied, warm = replay(false, launch) - chained;
  std::printf("%-12s %4u blocks %9u words share %2u group %4u rounds %2u   cold %8.3f us  warm %8.3f us\n", name,
              blocks, place.words, place.share, place.group, rounds, cold, warm);
}

template <Access ACCESS>
static void measure_all(const char* name) {
  // One access per thread.
  for (unsigned blocks : {132u, 1056u, 4224u})
    for (unsigned words : {1u << 14, 1u << 17, 1u << 20, 1u << 24})
      for (unsigned share : {1u, 32u}) measure<ACCESS>(name, blocks, {words, share, 1}, 1);
  // A table that stays in the L2: by SMs, and by how lanes share lines and words.
  for (unsigned blocks : {1u, 16u, 66u, 132u, 528u}) measure<ACCESS>(name, blocks, {1u << 20, 1, 1}, 8);
  for (unsigned group : {2u, 4u, 8u, 16u, 32u}) measure<ACCESS>(name, 132, {1u << 20, 1, group}, 8);
  for (unsigned share : {2u, 8u, 32u}) measure<ACCESS>(name, 132, {1u << 20, share, 1}, 8);
  // A table of 1 GiB, of which each access finds a place that no other has.
  for (unsigned rounds : {2u, 8u}) measure<ACCESS>(name, 1056, {1u << 28, 1, 1}, rounds);
}

int main() {
  if (!replay_ready() || cudaMalloc((void**)&table, size_t(1) << 30) != cudaSuccess)
    return std::printf("no GPU\n"), 1;
  cudaMemset(table, 0, size_t(1) << 30);
  emptied = replay(true, nullptr), chained = replay(false, nullptr);
  measure_all<Access::load>("load");
  measure_all<Access::add>("add");
  measure_all<Access::add_and_read>("add_and_read");
  measure_all<Access::swap>("swap");
  std::printf("%s\n", cudaGetErrorString(cudaDeviceSynchronize()));
}
