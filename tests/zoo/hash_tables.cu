// Hash tables: probing, insertion by compare-and-swap, a Bloom filter, counts in shared memory.
#include "zoo.cuh"

const unsigned kFree = 0xffffffffu;

__host__ __device__ unsigned slot_of(unsigned key, unsigned slots) {
  key ^= key >> 16;
  key *= 0x7feb352du;
  key ^= key >> 15;
  return key & (slots - 1);
}

// Half of the keys are in the table, half are not.
__global__ void ht_probe(const unsigned* keys, const unsigned* values, unsigned slots, const unsigned* query,
                         unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned q = query[i];
  unsigned at = slot_of(q, slots), found = 0;
  while (keys[at] != kFree) {
    if (keys[at] == q) {
      found = values[at];
      break;
    }
    at = (at + 1) & (slots - 1);
  }
  out[i] = found;
}

// Into a table that is emptied before each launch.
__global__ void ht_insert_cas(const unsigned* keys, unsigned* table, unsigned slots, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned key = keys[i];
  unsigned at = slot_of(key, slots);
  while (true) {
    const unsigned was = atomicCAS(&table[at], kFree, key);
    if (was == kFree || was == key) break;
    at = (at + 1) & (slots - 1);
  }
}

__global__ void ht_bloom(const unsigned* bits, unsigned words, const unsigned* query, unsigned char* maybe,
                         int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned q = query[i];
  bool in = true;
  for (unsigned k = 0; k < 5 && in; ++k) {
    const unsigned h = slot_of(q * (2 * k + 3) + k * 0x9e3779b9u, words * 32);
    in = bits[h / 32] >> h % 32 & 1;
  }
  maybe[i] = in;
}

// Word counts of each block's part of a text, in a small hash table in shared memory.
__global__ void ht_word_counts(const int* words, int per_block, int* most) {
  __shared__ int key[512], count[512];
  for (int k = threadIdx.x; k < 512; k += blockDim.x) {
    key[k] = -1;
    count[k] = 0;
  }
  __syncthreads();
  for (int k = threadIdx.x; k < per_block; k += blockDim.x) {
    const int w = words[blockIdx.x * per_block + k];
    unsigned at = slot_of(unsigned(w), 512);
    while (true) {
      const int was = atomicCAS(&key[at], -1, w);
      if (was == -1 || was == w) break;
      at = (at + 1) & 511;
    }
    atomicAdd(&count[at], 1);
  }
  __syncthreads();
  __shared__ int largest;
  if (threadIdx.x == 0) largest = 0;
  __syncthreads();
  for (int k = threadIdx.x; k < 512; k += blockDim.x) atomicMax(&largest, count[k]);
  __syncthreads();
  if (threadIdx.x == 0) most[blockIdx.x] = largest;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  const unsigned slots = 131072;
  const int n = 80000;
  const auto keys = random_words(n, 1);
  if (zoo.runs("ht_probe")) {
    std::vector<unsigned> table(slots, kFree), values(slots);
    for (int i = 0; i < n; ++i) {
      unsigned at = slot_of(keys[i], slots);
      while (table[at] != kFree) at = (at + 1) & (slots - 1);
      table[at] = keys[i];
      values[at] = unsigned(i) + 1;
    }
    auto query = random_words(n, 2);
    for (int i = 0; i < n; i += 2) query[i] = keys[i];
    unsigned* out = zoo.zeros<unsigned>(n);
    ht_probe<<<(n + 255) / 256, 256>>>(zoo.upload(table), zoo.upload(values), slots, zoo.upload(query), out,
                                       n);
    zoo.show("ht_probe", out, n);
  }
  if (zoo.runs("ht_insert_cas")) {
    unsigned* table = zoo.zeros<unsigned>(slots);
    const unsigned* from = zoo.upload(keys);
    cudaMemset(table, 0xff, slots * sizeof(unsigned));
    ht_insert_cas<<<(n + 127) / 128, 128>>>(from, table, slots, n);
    zoo.show("ht_insert_cas", table, slots);
  }
  if (zoo.runs("ht_bloom")) {
    const unsigned words = 32768;
    std::vector<unsigned> bits(words);
    for (int i = 0; i < n; ++i)
      for (unsigned k = 0; k < 5; ++k) {
        const unsigned h = slot_of(keys[i] * (2 * k + 3) + k * 0x9e3779b9u, words * 32);
        bits[h / 32] |= 1u << h % 32;
      }
    auto query = random_words(n, 3);
    for (int i = 0; i < n; i += 4) query[i] = keys[i];
    unsigned char* maybe = zoo.zeros<unsigned char>(n);
    ht_bloom<<<(n + 255) / 256, 256>>>(zoo.upload(bits), words, zoo.upload(query), maybe, n);
    zoo.show("ht_bloom", maybe, n);
  }
  if (zoo.runs("ht_word_counts")) {
    auto words = random_ints(64 * 2000, 4, 300);
    for (size_t i = 0; i < words.size(); i += 3) words[i] %= 20;
    int* most = zoo.zeros<int>(64);
    ht_word_counts<<<64, 256>>>(zoo.upload(words), 2000, most);
    zoo.show("ht_word_counts", most, 64);
  }
  return zoo.done();
}
