// Ciphers, digests, checksums, and products of long numbers.
#include "zoo.cuh"

#define QUARTER(a, b, c, d)              \
  a += b;                                \
  d = __funnelshift_l(d ^ a, d ^ a, 16); \
  c += d;                                \
  b = __funnelshift_l(b ^ c, b ^ c, 12); \
  a += b;                                \
  d = __funnelshift_l(d ^ a, d ^ a, 8);  \
  c += d;                                \
  b = __funnelshift_l(b ^ c, b ^ c, 7);

// ChaCha20: a thread encrypts one block of 64 bytes.
__global__ void ci_chacha_stream(const uint4* plain, const unsigned* key, uint4* cipher, unsigned nonce,
                                 int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int k = 0; k < 8; ++k) s[4 + k] = key[k];
  s[12] = i;
  s[13] = nonce;
  s[14] = nonce ^ 0x5a5a5a5a;
  s[15] = ~nonce;
  unsigned w[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) w[k] = s[k];
  for (int round = 0; round < 10; ++round) {
    QUARTER(w[0], w[4], w[8], w[12])
    QUARTER(w[1], w[5], w[9], w[13])
    QUARTER(w[2], w[6], w[10], w[14])
    QUARTER(w[3], w[7], w[11], w[15])
    QUARTER(w[0], w[5], w[10], w[15])
    QUARTER(w[1], w[6], w[11], w[12])
    QUARTER(w[2], w[7], w[8], w[13])
    QUARTER(w[3], w[4], w[9], w[14])
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const uint4 p = plain[4 * i + k];
    cipher[4 * i + k] = make_uint4(p.x ^ (w[4 * k] + s[4 * k]), p.y ^ (w[4 * k + 1] + s[4 * k + 1]),
                                   p.z ^ (w[4 * k + 2] + s[4 * k + 2]), p.w ^ (w[4 * k + 3] + s[4 * k + 3]));
  }
}

__constant__ unsigned round_constant[64];

__device__ unsigned rotated(unsigned x, int by) { return x >> by | x << (32 - by); }

// SHA-256 of a message and a number of its own per thread; keeps how many zero bits the digest begins with.
__global__ void ci_sha256_nonces(const unsigned* message, int* zeros, unsigned first, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned w[16];
#pragma unroll
  for (int k = 0; k < 15; ++k) w[k] = message[k];
  w[15] = first + i;
  const unsigned start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                             0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  unsigned a = start[0], b = start[1], c = start[2], d = start[3], e = start[4], f = start[5], g = start[6],
           h = start[7];
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    if (k >= 16) {
      const unsigned x = w[(k + 1) % 16], y = w[(k + 14) % 16];
      w[k % 16] += (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[(k + 9) % 16] +
                   (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
    }
    const unsigned t = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) +
                       round_constant[k] + w[k % 16];
    const unsigned u = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + t;
    d = c;
    c = b;
    b = a;
    a = t + u;
  }
  zeros[i] = __clz(a + start[0]);
}

// Fletcher's two sums of a chunk per block: of the bytes, and of the bytes times their distance from the end.
__global__ void ci_fletcher_chunks(const uint4* in, unsigned* plain, unsigned* weighted, int per_chunk) {
  __shared__ unsigned part[2][8];
  const uint4* mine = in + blockIdx.x * per_chunk;
  const int t = threadIdx.x;
  unsigned sum = 0, far = 0;
  for (int k = t; k < per_chunk; k += 256) {
    const uint4 v = mine[k];
    const unsigned word[4] = {v.x, v.y, v.z, v.w};
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      const unsigned bytes = __dp4a(word[j], 0x01010101u, 0u), left = 16 * (per_chunk - k) - 4 * j - 3;
      sum += bytes;
      far += bytes * left + __dp4a(word[j], 0x00010203u, 0u);
    }
  }
  for (int other = 16; other > 0; other /= 2) {
    sum += __shfl_down_sync(0xffffffffu, sum, other);
    far += __shfl_down_sync(0xffffffffu, far, other);
  }
  if (t % 32 == 0) {
    part[0][t / 32] = sum;
    part[1][t / 32] = far;
  }
  __syncthreads();
  if (t >= 2) return;
  unsigned all = 0;
  for (int w = 0; w < 8; ++w) all += part[t][w];
  (t ? weighted : plain)[blockIdx.x] = all;
}

// Products of numbers of 16 limbs, limb by limb of the result.
__global__ void ci_big_multiply(const unsigned* a, const unsigned* b, unsigned* product, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned x[16], y[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) {
    x[k] = a[k * n + i];
    y[k] = b[k * n + i];
  }
  unsigned low = 0, middle = 0, high = 0;
#pragma unroll
  for (int limb = 0; limb < 31; ++limb) {
#pragma unroll
    for (int k = 0; k < 16; ++k) {
      if (limb - k < 0 || limb - k > 15) continue;
      const unsigned long long p = (unsigned long long)x[k] * y[limb - k];
      const unsigned long long sum = ((unsigned long long)middle << 32 | low) + p;
      high += sum < p;
      low = unsigned(sum);
      middle = unsigned(sum >> 32);
    }
    product[limb * n + i] = low;
    low = middle;
    middle = high;
    high = 0;
  }
  product[31 * n + i] = low;
}

// SHA-256's constants: 32 bits of the fractions of the cube roots of the first primes.
std::vector<unsigned> sha_constants() {
  std::vector<unsigned> all;
  for (int p = 2; all.size() < 64; ++p) {
    bool prime = true;
    for (int d = 2; d * d <= p; ++d) prime = prime && p % d;
    if (!prime) continue;
    const double root = cbrt(double(p));
    all.push_back(unsigned((root - floor(root)) * 4294967296.0));
  }
  return all;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ci_chacha_stream")) {
    const int n = 10000;
    uint4* cipher = zoo.zeros<uint4>(4 * n);
    ci_chacha_stream<<<(n + 127) / 128, 128>>>((const uint4*)zoo.upload(random_words(16 * n, 1)),
                                               zoo.upload(random_words(8, 2)), cipher, 77, n);
    zoo.show("ci_chacha_stream", (const unsigned*)cipher, 16 * n);
  }
  if (zoo.runs("ci_sha256_nonces")) {
    const int n = 12000;
    zoo.ok(cudaMemcpyToSymbol(round_constant, sha_constants().data(), 64 * sizeof(unsigned)));
    int* zeros = zoo.zeros<int>(n);
    ci_sha256_nonces<<<(n + 127) / 128, 128>>>(zoo.upload(random_words(15, 3)), zeros, 1000, n);
    zoo.show("ci_sha256_nonces", zeros, n);
  }
  if (zoo.runs("ci_fletcher_chunks")) {
    const int chunks = 500, per_chunk = 900, bytes = 16 * per_chunk;
    const auto words = random_words(4 * chunks * per_chunk, 4);
    const auto* byte = (const unsigned char*)words.data();
    double want = 0;
    for (int c = 0; c < chunks; ++c) {
      unsigned sum = 0;
      for (int k = 0; k < bytes; ++k) sum += byte[c * bytes + k] * unsigned(bytes - k);
      want += sum;
    }
    unsigned* weighted = zoo.zeros<unsigned>(chunks);
    ci_fletcher_chunks<<<chunks, 256>>>((const uint4*)zoo.upload(words), zoo.zeros<unsigned>(chunks),
                                        weighted, per_chunk);
    zoo.expect("ci_fletcher_chunks", weighted, chunks, want, 1e-9);
  }
  if (zoo.runs("ci_big_multiply")) {
    const int n = 9000;
    const auto a = random_words(16 * n, 5), b = random_words(16 * n, 6);
    double want = 0;
    for (int i = 0; i < n; ++i) {
      unsigned long long result[33] = {};
      for (int j = 0; j < 16; ++j) {
        unsigned long long carry = 0;
        for (int k = 0; k < 16; ++k) {
          carry += (unsigned long long)a[j * n + i] * b[k * n + i] + result[j + k];
          result[j + k] = carry & 0xffffffff;
          carry >>= 32;
        }
        result[j + 16] = carry;
      }
      for (int k = 0; k < 32; ++k) want += double(result[k]);
    }
    unsigned* product = zoo.zeros<unsigned>(32 * n);
    ci_big_multiply<<<(n + 63) / 64, 64>>>(zoo.upload(a), zoo.upload(b), product, n);
    zoo.expect("ci_big_multiply", product, 32 * n, want, 1e-12);
  }
  return zoo.done();
}
