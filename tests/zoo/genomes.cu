// Strings of bases: counts of words, distances, hidden states and barcodes.
#include <algorithm>

#include "zoo.cuh"

constexpr unsigned kNoWord = 0xffffffffu;

// Counts words of eleven bases, a word and its reverse complement as one, in an open table.
__global__ void gn_kmer_counts(const unsigned char* base, int n, unsigned* words, unsigned* counts,
                               unsigned slots) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i + 11 > n) return;
  unsigned forward = 0, reverse = 0;
  for (int k = 0; k < 11; ++k) {
    const unsigned b = base[i + k];
    forward = forward << 2 | b;
    reverse |= (3 - b) << 2 * k;
  }
  const unsigned word = min(forward, reverse);
  for (unsigned at = word * 2654435761u >> 7 & (slots - 1);; at = (at + 1) & (slots - 1)) {
    const unsigned was = atomicCAS(&words[at], kNoWord, word);
    if (was == kNoWord || was == word) {
      atomicAdd(&counts[at], 1u);
      break;
    }
  }
}

__host__ __device__ int myers_step(unsigned long long equal, unsigned long long& up,
                                   unsigned long long& down) {
  const unsigned long long x = equal | down, d0 = (((x & up) + up) ^ up) | x;
  unsigned long long plus = down | ~(d0 | up), minus = up & d0;
  const int change = int(plus >> 63) - int(minus >> 63);
  plus = plus << 1 | 1;
  minus <<= 1;
  up = minus | ~(d0 | plus);
  down = plus & d0;
  return change;
}

// Myers' distance of 64 bases to a text: a column of the table in two words of 64 bits.
__global__ void gn_myers_distance(const unsigned char* pattern, const unsigned char* text, int length,
                                  int* out, int pairs) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs) return;
  unsigned long long equal[4] = {0, 0, 0, 0};
  for (int k = 0; k < 64; ++k) equal[pattern[k * pairs + i]] |= 1ull << k;
  unsigned long long up = ~0ull, down = 0;
  int distance = 64;
  for (int k = 0; k < length; ++k) distance += myers_step(equal[text[k * pairs + i]], up, down);
  out[i] = distance;
}

// Viterbi's path through 32 states: a warp per sequence, a state per lane.
__global__ void gn_viterbi_states(const unsigned char* seen, int steps, const float* transition,
                                  const float* emission, unsigned char* back, unsigned char* path,
                                  int sequences) {
  __shared__ float move[32 * 32];
  for (int k = threadIdx.x; k < 1024; k += blockDim.x) move[k] = transition[k];
  __syncthreads();
  const int s = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (s >= sequences) return;
  const unsigned char* mine = seen + s * steps;
  unsigned char* from = back + s * steps * 32;
  float score = emission[mine[0] * 32 + lane];
  for (int t = 1; t < steps; ++t) {
    float best = -1e30f;
    int which = 0;
    for (int k = 0; k < 32; ++k) {
      const float v = __shfl_sync(0xffffffffu, score, k) + move[k * 32 + lane];
      if (v > best) {
        best = v;
        which = k;
      }
    }
    score = best + emission[mine[t] * 32 + lane];
    from[t * 32 + lane] = (unsigned char)which;
  }
  float best = score;
  for (int other = 16; other > 0; other /= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffffu, best, other));
  const unsigned last = __ballot_sync(0xffffffffu, score == best);
  __syncwarp();
  if (lane > 0) return;
  int state = __ffs(last) - 1;
  for (int t = steps - 1; t >= 0; --t) {
    path[s * steps + t] = (unsigned char)state;
    if (t) state = from[t * 32 + state];
  }
}

// The nearest of a list of barcodes by the number of bases that differ.
__global__ void gn_barcode_nearest(const uint2* read, const uint2* list, int listed, int* nearest, int n) {
  extern __shared__ uint2 code[];
  for (int k = threadIdx.x; k < listed; k += blockDim.x) code[k] = list[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const uint2 r = read[i];
  int best = 65, which = -1;
  for (int k = 0; k < listed; ++k) {
    const unsigned a = r.x ^ code[k].x, b = r.y ^ code[k].y;
    const int differ = __popc((a | a >> 1) & 0x55555555u) + __popc((b | b >> 1) & 0x55555555u);
    if (differ < best) {
      best = differ;
      which = k;
    }
  }
  nearest[i] = best < 8 ? which : -1;
}

std::vector<unsigned char> bases(size_t n, unsigned seed) {
  std::vector<unsigned char> v(n);
  Random r{seed};
  for (auto& b : v) b = (unsigned char)r.below(4);
  return v;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("gn_kmer_counts")) {
    const int n = 30000;
    const unsigned slots = 65536;
    auto base = bases(n, 1);
    for (int i = 20000; i < n; ++i) base[i] = base[i - 20000];
    unsigned *words = zoo.zeros<unsigned>(slots), *counts = zoo.zeros<unsigned>(slots);
    zoo.ok(cudaMemset(words, 0xff, slots * sizeof(unsigned)));
    gn_kmer_counts<<<(n + 255) / 256, 256>>>(zoo.upload(base), n, words, counts, slots);
    zoo.expect("gn_kmer_counts", counts, slots, n - 10, 1e-9);
  }
  if (zoo.runs("gn_myers_distance")) {
    const int pairs = 4000, length = 90;
    const auto pattern = bases(64 * pairs, 2), text = bases(length * pairs, 3);
    double want = 0;
    for (int i = 0; i < pairs; ++i) {
      int row[65];
      for (int k = 0; k <= 64; ++k) row[k] = k;
      for (int t = 0; t < length; ++t) {
        int diagonal = row[0]++;
        for (int k = 1; k <= 64; ++k) {
          const int change = diagonal + (pattern[(k - 1) * pairs + i] != text[t * pairs + i]);
          diagonal = row[k];
          row[k] = std::min(change, std::min(row[k], row[k - 1]) + 1);
        }
      }
      want += row[64];
    }
    int* out = zoo.zeros<int>(pairs);
    gn_myers_distance<<<(pairs + 63) / 64, 64>>>(zoo.upload(pattern), zoo.upload(text), length, out, pairs);
    zoo.expect("gn_myers_distance", out, pairs, want, 1e-9);
  }
  if (zoo.runs("gn_viterbi_states")) {
    const int sequences = 300, steps = 20;
    unsigned char* path = zoo.zeros<unsigned char>(sequences * steps);
    gn_viterbi_states<<<(sequences + 3) / 4, 128>>>(
        zoo.upload(bases(sequences * steps, 4)), steps, zoo.upload(random_floats(1024, 5, -5, 0)),
        zoo.upload(random_floats(128, 6, -3, 0)), zoo.zeros<unsigned char>(sequences * steps * 32), path,
        sequences);
    zoo.show("gn_viterbi_states", path, sequences * steps);
  }
  if (zoo.runs("gn_barcode_nearest")) {
    const int n = 60000, listed = 180;
    const auto list = random_words(2 * listed, 7);
    auto read = random_words(2 * n, 8);
    Random r{9};
    for (int i = 0; i < n; ++i) {
      if (i % 5 == 0) continue;
      const unsigned k = r.below(listed);
      read[2 * i] = list[2 * k] ^ 1u << r.below(32);
      read[2 * i + 1] = list[2 * k + 1] ^ 1u << r.below(32);
    }
    int* nearest = zoo.zeros<int>(n);
    gn_barcode_nearest<<<(n + 127) / 128, 128, listed * sizeof(uint2)>>>(
        (const uint2*)zoo.upload(read), (const uint2*)zoo.upload(list), listed, nearest, n);
    zoo.show("gn_barcode_nearest", nearest, n);
  }
  return zoo.done();
}
