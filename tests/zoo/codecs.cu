// Parts of codecs: streams of prefix codes, blocks of a JPEG, packed differences, and the search for repeats.
#include "zoo.cuh"

struct Code {
  unsigned char symbol, length;
};

// A thread decodes a stream of its own: the next eight bits choose a symbol and its length.
__global__ void co_decode_streams(const unsigned* bits, const int* start, const Code* table,
                                  unsigned* symbols, int per_stream, int n) {
  __shared__ Code shared_table[256];
  for (int i = threadIdx.x; i < 256; i += blockDim.x) shared_table[i] = table[i];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned* word = bits + start[i];
  unsigned long long window = (unsigned long long)word[0] << 32 | word[1];
  int used = 0, next = 2;
  unsigned four = 0;
  for (int s = 0; s < per_stream; ++s) {
    if (used >= 32) {
      window = window << 32 | word[next++];
      used -= 32;
    }
    const Code c = shared_table[window >> (56 - used) & 255];
    used += c.length;
    four |= unsigned(c.symbol) << (8 * (s & 3));
    if ((s & 3) == 3) {
      symbols[s / 4 * n + i] = four;
      four = 0;
    }
  }
}

// Eight values through an integer cosine transform, with constants of thirteen bits.
__host__ __device__ void transform8(int* v, int stride) {
  const int a0 = v[0] + v[7 * stride], a7 = v[0] - v[7 * stride];
  const int a1 = v[stride] + v[6 * stride], a6 = v[stride] - v[6 * stride];
  const int a2 = v[2 * stride] + v[5 * stride], a5 = v[2 * stride] - v[5 * stride];
  const int a3 = v[3 * stride] + v[4 * stride], a4 = v[3 * stride] - v[4 * stride];
  const int b0 = a0 + a3, b1 = a1 + a2, b2 = a1 - a2, b3 = a0 - a3;
  v[0] = ((b0 + b1) * 2896 + 4096) >> 13;
  v[4 * stride] = ((b0 - b1) * 2896 + 4096) >> 13;
  v[2 * stride] = (b3 * 3784 + b2 * 1567 + 4096) >> 13;
  v[6 * stride] = (b3 * 1567 - b2 * 3784 + 4096) >> 13;
  v[stride] = (a7 * 4017 + a6 * 3406 + a5 * 2276 + a4 * 799 + 4096) >> 13;
  v[3 * stride] = (a7 * 3406 - a6 * 799 - a5 * 4017 - a4 * 2276 + 4096) >> 13;
  v[5 * stride] = (a7 * 2276 - a6 * 4017 + a5 * 799 + a4 * 3406 + 4096) >> 13;
  v[7 * stride] = (a7 * 799 - a6 * 2276 + a5 * 3406 - a4 * 4017 + 4096) >> 13;
}

__constant__ unsigned char zigzag[64];
__constant__ short quantum[64];

// Eight threads per block of 8 x 8 pixels: rows, columns, division, and the order of a zigzag.
__global__ void co_jpeg_blocks(const unsigned char* pixel, short* coefficient, int width) {
  __shared__ int tile[16][8 * 9 + 1];
  const int t = threadIdx.x % 8, b = threadIdx.x / 8, block = blockIdx.x * 16 + b, across = width / 8;
  const uint2 row = *(const uint2*)&pixel[(block / across * 8 + t) * width + block % across * 8];
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = int((k < 4 ? row.x : row.y) >> (8 * (k % 4)) & 255) - 128;
  transform8(v, 1);
#pragma unroll
  for (int k = 0; k < 8; ++k) tile[b][9 * t + k] = v[k];
  __syncwarp();
  transform8(&tile[b][t], 9);
  __syncwarp();
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int at = zigzag[8 * t + k];
    coefficient[block * 64 + 8 * t + k] = short(tile[b][at / 8 * 9 + at % 8] / quantum[at]);
  }
}

struct Frame {
  int word, bits, base;
};

// A block per frame of 512 values: four differences per thread, then their running sum.
__global__ void co_unpack_frames(const unsigned* packed, const Frame* frame, int* value) {
  __shared__ int warp_sum[4];
  const Frame f = frame[blockIdx.x];
  const int t = threadIdx.x, lane = t % 32;
  int v[4], sum = 0;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int at = (4 * t + k) * f.bits, shift = at % 32;
    const unsigned low = packed[f.word + at / 32], high = packed[f.word + at / 32 + 1];
    const unsigned coded = __funnelshift_r(low, high, shift) & ((1u << f.bits) - 1);
    sum += int(coded >> 1) ^ -int(coded & 1);
    v[k] = sum;
  }
  int before = sum;
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(0xffffffffu, before, d);
    if (lane >= d) before += other;
  }
  if (lane == 31) warp_sum[t / 32] = before;
  __syncthreads();
  before += f.base - sum;
  for (int w = 0; w < t / 32; ++w) before += warp_sum[w];
  ((int4*)value)[blockIdx.x * 128 + t] =
      make_int4(before + v[0], before + v[1], before + v[2], before + v[3]);
}

// The longest repeat of the bytes at each place among twelve distances; a block has 2 KiB and what is before.
__host__ __device__ int best_match(const unsigned char* text, int at, int end, const short* distance) {
  int best = 0;
  for (int k = 0; k < 12; ++k) {
    const int from = at - distance[k];
    if (from < 0) continue;
    int length = 0;
    while (length < 40 && at + length < end && text[from + length] == text[at + length]) ++length;
    if (length > (best & 255)) best = k << 8 | length;
  }
  return best;
}

__global__ void co_find_repeats(const unsigned char* text, const short* distance, int* match, int n) {
  __shared__ unsigned char window[4096];
  __shared__ short away[12];
  const int first = max(0, int(blockIdx.x) * 2048 - 2048), end = min(n, (int(blockIdx.x) + 1) * 2048);
  if (threadIdx.x < 12) away[threadIdx.x] = distance[threadIdx.x];
  for (int i = threadIdx.x; i < (end - first) / 4; i += blockDim.x)
    ((unsigned*)window)[i] = ((const unsigned*)(text + first))[i];
  __syncthreads();
  for (int i = blockIdx.x * 2048 + threadIdx.x; i < end; i += blockDim.x)
    match[i] = best_match(window, i - first, end - first, away);
}

static void decode_streams(Zoo& zoo) {
  const int n = 12000, per_stream = 48, distinct = 300;
  // Symbol s has s + 1 bits up to seven: ones, then a zero; the eighth symbol has seven ones.
  std::vector<Code> table(256);
  for (int bits = 0; bits < 256; ++bits) {
    int s = 0;
    while (s < 7 && bits >> (7 - s) & 1) ++s;
    table[bits] = Code{(unsigned char)s, (unsigned char)(s < 7 ? s + 1 : 7)};
  }
  std::vector<std::vector<unsigned>> stream(distinct);
  std::vector<int> symbol(distinct * per_stream), start(n);
  Random r{1};
  for (int d = 0; d < distinct; ++d) {
    stream[d].assign(14, 0);
    int at = 0;
    for (int k = 0; k < per_stream; ++k) {
      int s = 0;
      while (s < 7 && r.below(5) < 3) ++s;
      symbol[d * per_stream + k] = s;
      for (int b = 0; b < s; ++b, ++at) stream[d][at / 32] |= 0x80000000u >> at % 32;
      at += s < 7;
    }
    stream[d].resize(at / 32 + 3);
  }
  std::vector<unsigned> bits;
  for (int i = 0; i < n; ++i) {
    const auto& s = stream[i % distinct];
    start[i] = int(bits.size());
    bits.insert(bits.end(), s.begin(), s.end());
  }
  unsigned* symbols = zoo.zeros<unsigned>(n * per_stream / 4);
  co_decode_streams<<<(n + 127) / 128, 128>>>(zoo.upload(bits), zoo.upload(start), zoo.upload(table), symbols,
                                              per_stream, n);
  const auto want = [&](size_t i) {
    const int* s = &symbol[i % n % distinct * per_stream + i / n * 4];
    return double(s[0] | s[1] << 8 | s[2] << 16 | s[3] << 24);
  };
  zoo.expect_each("co_decode_streams", symbols, n * per_stream / 4, 17, want, 1e-12);
}

static void unpack_frames(Zoo& zoo) {
  const int frames = 330, n = frames * 512;
  std::vector<Frame> frame(frames);
  std::vector<unsigned> packed;
  std::vector<int> value(n);
  Random r{4};
  for (int f = 0; f < frames; ++f) {
    const int bits = 3 + int(r.below(15)), first = int(packed.size());
    int running = int(r.below(100000));
    frame[f] = Frame{first, bits, running};
    packed.resize(first + 16 * bits + 1);
    for (int k = 0; k < 512; ++k) {
      const unsigned coded = r.below(1u << bits);
      running += int(coded >> 1) ^ -int(coded & 1);
      value[f * 512 + k] = running;
      const int at = k * bits;
      packed[first + at / 32] |= coded << at % 32;
      if (at % 32 + bits > 32) packed[first + at / 32 + 1] |= coded >> (32 - at % 32);
    }
  }
  int* out = zoo.zeros<int>(n);
  co_unpack_frames<<<frames, 128>>>(zoo.upload(packed), zoo.upload(frame), out);
  zoo.expect_each(
      "co_unpack_frames", out, n, 3, [&](size_t i) { return double(value[i]); }, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("co_decode_streams")) decode_streams(zoo);
  if (zoo.runs("co_jpeg_blocks")) {
    const int width = 1024, height = 496, n = width * height;
    std::vector<unsigned char> pixel(n), order(64);
    std::vector<short> divisor(64);
    Random r{2};
    for (int i = 0; i < n; ++i) pixel[i] = (unsigned char)(i % width / 8 + i / width / 5 + r.below(20));
    for (int s = 0, k = 0; s < 15; ++s)
      for (int a = 0; a <= s; ++a) {
        const int y = s % 2 ? a : s - a, x = s - y;
        if (x < 8 && y < 8) order[k++] = (unsigned char)(8 * y + x);
      }
    for (int i = 0; i < 64; ++i) divisor[i] = short(2 + i / 8 + i % 8);
    zoo.ok(cudaMemcpyToSymbol(zigzag, order.data(), 64));
    zoo.ok(cudaMemcpyToSymbol(quantum, divisor.data(), 128));
    short* coefficient = zoo.zeros<short>(n);
    co_jpeg_blocks<<<n / 1024, 128>>>(zoo.upload(pixel), coefficient, width);
    const auto got = zoo.download(coefficient, n);
    zoo.show("co_jpeg_blocks", coefficient, n);
    double worst = 0;
    for (int b = 0; b < n / 64; b += 7) {
      // Every other time the block's mean, which is never small.
      const int i = 64 * b + (b % 2 ? b / 7 % 64 : 0);
      const int block = i / 64, corner = block / (width / 8) * 8 * width + block % (width / 8) * 8;
      const int at = order[i % 64], u = at % 8, v = at / 8;
      double sum = 0;
      for (int p = 0; p < 64; ++p)
        sum += (pixel[corner + p / 8 * width + p % 8] - 128) * cos((2 * (p % 8) + 1) * u * 0.19634954) *
               cos((2 * (p / 8) + 1) * v * 0.19634954);
      sum *= (u ? 0.5 : 0.35355339) * (v ? 0.5 : 0.35355339);
      worst = fmax(worst, fabs(got[i] - sum / divisor[at]));
    }
    // The transform rounds twice, the division cuts off.
    zoo.require("co_jpeg_blocks", worst < 1.8, "the coefficients are a cosine transform's");
  }
  if (zoo.runs("co_unpack_frames")) unpack_frames(zoo);
  if (zoo.runs("co_find_repeats")) {
    const int n = 120 * 1024;
    std::vector<unsigned char> text(n);
    Random r{5};
    for (int i = 0; i < n; ++i)
      text[i] = (unsigned char)(i > 300 && r.below(8) ? text[i - (i / 64 % 3 == 0 ? 37 : 212)] : r.below(6));
    const std::vector<short> distance = {1, 2, 4, 7, 19, 37, 74, 101, 212, 424, 800, 1600};
    int* match = zoo.zeros<int>(n);
    co_find_repeats<<<(n + 2047) / 2048, 256>>>(zoo.upload(text), zoo.upload(distance), match, n);
    const auto want = [&](size_t i) {
      const int first = i < 2048 ? 0 : int(i / 2048) * 2048 - 2048;
      return double(
          best_match(&text[first], int(i) - first, int(i / 2048 + 1) * 2048 - first, distance.data()));
    };
    zoo.expect_each("co_find_repeats", match, n, 61, want, 1e-12);
  }
  return zoo.done();
}
