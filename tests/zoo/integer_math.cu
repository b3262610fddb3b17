// Whole numbers: products of 64 bits, division, remainders, hashes, loops whose length depends on the number.
#include "zoo.cuh"

// base^exponent mod modulus by Montgomery products of 64 bits.
__device__ unsigned long long reduced(unsigned long long a, unsigned long long b, unsigned long long m,
                                      unsigned long long inverse) {
  const unsigned long long low = a * b, high = __umul64hi(a, b);
  const unsigned long long q = low * inverse, h = __umul64hi(q, m);
  return high >= h ? high - h : high - h + m;
}
__global__ void im_modular_power(const unsigned long long* base, unsigned exponent, unsigned long long m,
                                 unsigned long long* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long inverse = m;
  for (int k = 0; k < 5; ++k) inverse *= 2 - m * inverse;
  unsigned long long x = base[i] % m, r = (~0ull % m + 1) % m;
  for (unsigned e = exponent; e; e >>= 1) {
    if (e & 1) r = reduced(r, x, m, inverse);
    x = reduced(x, x, m, inverse);
  }
  out[i] = r % 1000003;
}

__global__ void im_collatz(int first, int* steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned long long v = first + i;
  int count = 0;
  while (v != 1) {
    v = v & 1 ? 3 * v + 1 : v >> 1;
    ++count;
  }
  steps[i] = count;
}

// A hash of records of 64 bytes, which lie one after another.
__global__ void im_murmur_blocks(const uint4* records, unsigned seed, unsigned* hash, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned h = seed;
  for (int k = 0; k < 4; ++k) {
    const uint4 q = records[4 * i + k];
    const unsigned words[4] = {q.x, q.y, q.z, q.w};
    for (int j = 0; j < 4; ++j) {
      unsigned w = words[j] * 0xcc9e2d51u;
      w = (w << 15 | w >> 17) * 0x1b873593u;
      h ^= w;
      h = (h << 13 | h >> 19) * 5 + 0xe6546b64u;
    }
  }
  h = (h ^ h >> 16) * 0x85ebca6bu;
  h = (h ^ h >> 13) * 0xc2b2ae35u;
  hash[i] = h ^ h >> 16;
}

// Sums of digits to a base that is known at run time, of numbers of 64 bits.
__global__ void im_digit_sums(const unsigned* in, int base, int* sums) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned long long v = (unsigned long long)in[i] * in[i];
  int sum = 0;
  for (; v; v /= base) sum += int(v % base);
  unsigned w = in[i];
  for (; w; w /= 10) sum += w % 10;
  sums[i] = sum;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("im_modular_power")) {
    const int n = 132 * 64;
    std::vector<unsigned long long> base(n);
    Random r{1};
    for (auto& b : base) b = (unsigned long long)r.next() << 20 | r.next();
    auto* out = zoo.zeros<unsigned long long>(n);
    im_modular_power<<<132, 64>>>(zoo.upload(base), 0x7ffffe35, 0xffffffffffffffc5ull, out);
    zoo.show("im_modular_power", out, n);
  }
  if (zoo.runs("im_collatz")) {
    int* steps = zoo.zeros<int>(100000);
    im_collatz<<<(100000 + 255) / 256, 256>>>(1, steps, 100000);
    zoo.show("im_collatz", steps, 100000);
  }
  if (zoo.runs("im_murmur_blocks")) {
    const int n = 30000;
    const auto words = random_words(16 * n, 2);
    unsigned* hash = zoo.zeros<unsigned>(n);
    im_murmur_blocks<<<(n + 127) / 128, 128>>>((const uint4*)zoo.upload(words), 42, hash, n);
    zoo.show("im_murmur_blocks", hash, n);
  }
  if (zoo.runs("im_digit_sums")) {
    int* sums = zoo.zeros<int>(48 * 96);
    im_digit_sums<<<48, 96>>>(zoo.upload(random_words(48 * 96, 3)), 7, sums);
    zoo.show("im_digit_sums", sums, 48 * 96);
  }
  return zoo.done();
}
