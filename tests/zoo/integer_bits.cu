// Bits and packed bytes: video instructions, population counts, reversals, funnel shifts.
#include "zoo.cuh"

__global__ void ib_blend_bytes(const unsigned* a, const unsigned* b, unsigned* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned x = a[i], y = b[i];
  unsigned v = __vavgu4(x, y);
  v = __vaddus4(v, __vabsdiffu4(x, y) >> 2 & 0x3f3f3f3f);
  v = __vsub4(v, __vminu4(x, y) & 0x0f0f0f0f);
  v = __vmaxu4(v, __vcmpgtu4(x, y) & 0x10101010);
  out[i] = __vadd4(v, 0x01010101);
}

// Block matching: for each 4 x 4 block of a frame, the shift with the least sum of absolute differences.
__global__ void ib_sad_search(const unsigned* now, const unsigned* before, int words, int* best) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y;
  if (x >= words - 4) return;
  unsigned block[4];
  for (int k = 0; k < 4; ++k) block[k] = now[(4 * y + k) * words + x];
  unsigned least = ~0u;
  int where = 0;
  for (int s = 0; s < 16; ++s) {
    unsigned sum = 0;
    for (int k = 0; k < 4; ++k) {
      const unsigned* row = before + (4 * y + k) * words + x + s / 4;
      sum += __vsadu4(block[k], __funnelshift_r(row[0], row[1], 8 * (s % 4)));
    }
    if (sum < least) {
      least = sum;
      where = s;
    }
  }
  best[y * words + x] = where;
}

// Agreement of binary vectors of 512 bits, all pairs of two sets.
__global__ void ib_binary_rows(const unsigned* a, const unsigned* b, int n, int* agree) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  int same = 0;
#pragma unroll 4
  for (int k = 0; k < 16; ++k) same += __popc(~(a[i * 16 + k] ^ b[k * n + j]));
  agree[i * n + j] = same;
}

__device__ unsigned spread_bits(unsigned v) {
  v = (v | v << 16) & 0x030000ff;
  v = (v | v << 8) & 0x0300f00f;
  v = (v | v << 4) & 0x030c30c3;
  return (v | v << 2) & 0x09249249;
}
__global__ void ib_morton_codes(const float* x, const float* y, const float* z, unsigned* code, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned a = unsigned(x[i] * 1023), b = unsigned(y[i] * 1023), c = unsigned(z[i] * 1023);
  const unsigned m = spread_bits(a) | spread_bits(b) << 1 | spread_bits(c) << 2;
  code[i] = __brev(m) >> 2 ^ unsigned(__clz(m)) ^ unsigned(__ffs(m));
}

// CRC-32, bit by bit, of a message that starts at any bit of a word.
__global__ void ib_funnel_crc(const unsigned* words, int length, unsigned* crc) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned* p = words + i % 64;
  unsigned c = ~0u;
  for (int k = 0; k < length; ++k) {
    c ^= __funnelshift_r(p[k], p[k + 1], i & 31);
    for (int b = 0; b < 32; ++b) c = c >> 1 ^ (0xedb88320u & -(c & 1));
  }
  crc[i] = ~c;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ib_blend_bytes")) {
    const int n = 300000;
    unsigned* out = zoo.zeros<unsigned>(n);
    ib_blend_bytes<<<(n + 255) / 256, 256>>>(zoo.upload(random_words(n, 1)), zoo.upload(random_words(n, 2)),
                                             out, n);
    zoo.show("ib_blend_bytes", out, n);
  }
  if (zoo.runs("ib_sad_search")) {
    const int words = 320, rows = 240;
    int* best = zoo.zeros<int>(rows / 4 * words);
    ib_sad_search<<<dim3(5, rows / 4), 64>>>(zoo.upload(random_words(words * rows, 3)),
                                             zoo.upload(random_words(words * rows, 4)), words, best);
    zoo.show("ib_sad_search", best, rows / 4 * words);
  }
  if (zoo.runs("ib_binary_rows")) {
    const int n = 256;
    int* agree = zoo.zeros<int>(n * n);
    ib_binary_rows<<<dim3(n / 32, n / 8), dim3(32, 8)>>>(zoo.upload(random_words(16 * n, 5)),
                                                         zoo.upload(random_words(16 * n, 6)), n, agree);
    zoo.show("ib_binary_rows", agree, n * n);
  }
  if (zoo.runs("ib_morton_codes")) {
    const int n = 100000;
    unsigned* code = zoo.zeros<unsigned>(n);
    ib_morton_codes<<<(n + 127) / 128, 128>>>(zoo.upload(random_floats(n, 7)),
                                              zoo.upload(random_floats(n, 8)),
                                              zoo.upload(random_floats(n, 9)), code, n);
    zoo.show("ib_morton_codes", code, n);
  }
  if (zoo.runs("ib_funnel_crc")) {
    const int n = 40 * 192;
    unsigned* crc = zoo.zeros<unsigned>(n);
    ib_funnel_crc<<<40, 192>>>(zoo.upload(random_words(128, 10)), 24, crc);
    zoo.show("ib_funnel_crc", crc, n);
  }
  return zoo.done();
}
