// A video codec's parts: a search for motion, prediction from pixels that were just rebuilt, smoothing of the
// blocks' edges, and colours with film grain for a network's input.
#include <cuda_fp16.h>

#include "zoo.cuh"

using Byte = unsigned char;
constexpr int margin = 32;  // Pixels around the frame that a search reads, on all sides.

struct Vector {
  int x, y, cost;
};

__constant__ signed char large_x[8], large_y[8];

// Diamonds of eight points until the middle is the best, then four near ones. A warp per 16 x 16 block: a
// lane has eight pixels of a row. A vector stays within 24 pixels.
__global__ void vi_search_diamonds(const Byte* now, const Byte* before, Vector* found, int width,
                                   int height) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  const int across = width / 16, pitch = width + 2 * margin;
  if (warp >= across * (height / 16)) return;
  const int x0 = warp % across * 16 + lane % 2 * 8, y0 = warp / across * 16 + lane / 2;
  const uint2 mine = *(const uint2*)&now[y0 * width + x0];
  const Byte* home = before + (y0 + margin) * pitch + x0 + margin;
  auto cost = [&](int dx, int dy) {
    const Byte* p = home + dy * pitch + dx;
    const unsigned off = unsigned((size_t)p & 3);
    const unsigned* w = (const unsigned*)(p - off);
    const unsigned a = w[0], b = w[1], c = off ? w[2] : 0;
    const unsigned low = __funnelshift_r(a, b, 8 * off), high = __funnelshift_r(b, c, 8 * off);
    const unsigned sad = __vsadu4(mine.x, low) + __vsadu4(mine.y, high);
    return int(__reduce_add_sync(~0u, sad)) + 2 * (abs(dx) + abs(dy));
  };
  Vector best = {0, 0, cost(0, 0)};
  for (int round = 0; round < 16 && best.cost > 256; ++round) {
    const Vector middle = best;
    for (int k = 0; k < 8; ++k) {
      const int dx = middle.x + large_x[k], dy = middle.y + large_y[k];
      if (abs(dx) > 24 || abs(dy) > 24) continue;
      const int c = cost(dx, dy);
      if (c < best.cost) best = {dx, dy, c};
    }
    if (best.x == middle.x && best.y == middle.y) break;
  }
  const Vector middle = best;
  for (int k = 0; k < 4; ++k) {
    const int dx = middle.x + large_x[2 * k] / 2, dy = middle.y + large_y[2 * k] / 2;
    const int c = cost(dx, dy);
    if (c < best.cost) best = {dx, dy, c};
  }
  if (lane == 0) found[warp] = best;
}

constexpr int tile = 64;

__host__ __device__ inline int rebuilt(int source, int predicted) {
  const int change = source - predicted, level = (change < 0 ? change - 6 : change + 6) / 12;
  const int v = predicted + 12 * level;
  return v < 0 ? 0 : v > 255 ? 255 : v;
}

// Prediction of 4 x 4 pixels from the rebuilt ones above and to the left, tile by tile; the blocks of a
// diagonal go together, 16 lanes each. The best of three modes is kept.
__global__ void __launch_bounds__(256) vi_predict_intra(const Byte* in, Byte* out, int* modes, int width) {
  __shared__ Byte pixel[tile + 1][tile + 4];
  const int t = threadIdx.x, place = t % 16, px = place % 4, py = place / 4;
  const Byte* from = in + blockIdx.y * tile * width + blockIdx.x * tile;
  Byte* to = out + blockIdx.y * tile * width + blockIdx.x * tile;
  for (int k = t; k <= tile; k += 256) pixel[0][k] = pixel[k][0] = 128;
  __syncthreads();
  int counts = 0;
  for (int diagonal = 0; diagonal < 2 * (tile / 4) - 1; ++diagonal) {
    const int bx = t / 16, by = diagonal - bx;
    if (by >= 0 && by < tile / 4) {
      const unsigned group = 0xffffu << (t & 16);
      const int x = 4 * bx + px, y = 4 * by + py, source = from[y * width + x];
      const int above = pixel[4 * by][x + 1], left = pixel[y + 1][4 * bx];
      int mean = px == 0 ? left : 0;
      mean += py == 0 ? above : 0;
      for (int d = 8; d; d /= 2) mean += __shfl_xor_sync(group, mean, d, 16);
      mean = (mean + 4) / 8;
      int errors = abs(source - above) | abs(source - left) << 16, flat = abs(source - mean);
      for (int d = 8; d; d /= 2) {
        errors += __shfl_xor_sync(group, errors, d, 16);
        flat += __shfl_xor_sync(group, flat, d, 16);
      }
      const int down = errors & 0xffff, right = errors >> 16;
      const int mode = flat <= down && flat <= right ? 0 : down <= right ? 1 : 2;
      const int v = rebuilt(source, mode == 0 ? mean : mode == 1 ? above : left);
      pixel[y + 1][x + 1] = Byte(v);
      to[y * width + x] = Byte(v);
      counts += place == 0 ? 1 << 10 * mode : 0;
    }
    __syncthreads();
  }
  if (place == 0) atomicAdd(&modes[0], counts & 1023);
  if (place == 0) atomicAdd(&modes[1], counts >> 10 & 1023);
  if (place == 0) atomicAdd(&modes[2], counts >> 20);
}

// One line of eight pixels across an edge, p3 p2 p1 p0 | q0 q1 q2 q3.
__host__ __device__ inline void smooth_line(int* v, int strength, int quality) {
  const int alpha = 4 + quality, beta = 2 + quality / 3;
  int *p = v + 3, *q = v + 4;
  if (!strength || abs(p[0] - q[0]) >= alpha || abs(p[-1] - p[0]) >= beta || abs(q[1] - q[0]) >= beta) return;
  if (strength == 4) {
    const int p2 = p[-2], p1 = p[-1], p0 = p[0], q0 = q[0], q1 = q[1], q2 = q[2];
    if (abs(p2 - p0) < beta) {
      p[0] = (p2 + 2 * p1 + 2 * p0 + 2 * q0 + q1 + 4) >> 3;
      p[-1] = (p2 + p1 + p0 + q0 + 2) >> 2;
      p[-2] = (2 * p[-3] + 3 * p2 + p1 + p0 + q0 + 4) >> 3;
    } else {
      p[0] = (2 * p1 + p0 + q1 + 2) >> 2;
    }
    if (abs(q2 - q0) < beta) {
      q[0] = (q2 + 2 * q1 + 2 * q0 + 2 * p0 + p1 + 4) >> 3;
      q[1] = (q2 + q1 + q0 + p0 + 2) >> 2;
      q[2] = (2 * q[3] + 3 * q2 + q1 + q0 + p0 + 4) >> 3;
    } else {
      q[0] = (2 * q1 + q0 + p1 + 2) >> 2;
    }
    return;
  }
  const int limit = strength + (abs(p[-2] - p[0]) < beta) + (abs(q[2] - q[0]) < beta);
  int d = ((q[0] - p[0]) * 4 + p[-1] - q[1] + 4) >> 3;
  d = d < -limit ? -limit : d > limit ? limit : d;
  p[0] = p[0] + d < 0 ? 0 : p[0] + d > 255 ? 255 : p[0] + d;
  q[0] = q[0] - d < 0 ? 0 : q[0] - d > 255 ? 255 : q[0] - d;
}

// The edges of all 8 x 8 blocks in one direction. A thread has the eight pixels across an edge, or the four
// between the frame's border and the first edge.
__global__ void vi_smooth_edges(const Byte* in, Byte* out, const Byte* strength, int width, int height,
                                bool upright, int quality) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const int along = upright ? y : x, edge = upright ? x : y, length = upright ? width : height;
  if (along >= (upright ? height : width) || edge > length / 8) return;
  const int step = upright ? 1 : width, across = upright ? width : 1;
  const int first = edge ? 0 : 4, last = edge < length / 8 ? 8 : 4;
  const size_t at = size_t(along) * across;
  int v[8];
#pragma unroll
  for (int k = 0; k < 8; ++k) v[k] = k >= first && k < last ? in[at + (8 * edge - 4 + k) * step] : 0;
  if (first == 0 && last == 8) smooth_line(v, strength[edge * 512 + along / 4], quality);
#pragma unroll
  for (int k = 0; k < 8; ++k)
    if (k >= first && k < last) out[at + (8 * edge - 4 + k) * step] = Byte(v[k]);
}

__constant__ float grain_scale[256];

// From NV12 to three planes of halves, with a grain that depends on the brightness. A thread has two pixels.
__global__ void vi_grain_to_half(const Byte* luma, const uchar2* chroma, const signed char* grain,
                                 __half2* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (2 * x >= width || y >= height) return;
  const uchar2 light = *(const uchar2*)&luma[y * width + 2 * x], c = chroma[y / 2 * (width / 2) + x];
  const unsigned shift = (unsigned(x / 16) * 0x9e3779b1u + unsigned(y / 32) * 0x85ebca6bu) >> 20;
  const int g = ((y + (shift >> 6)) % 64) * 64 + (2 * x + shift % 64) % 63;
  const float u = c.x - 128.0f, v = c.y - 128.0f;
  const float a = 1.164f * (light.x - 16.0f) + grain_scale[light.x] * grain[g];
  const float b = 1.164f * (light.y - 16.0f) + grain_scale[light.y] * grain[g + 1];
  const float add[3] = {1.793f * v, -0.213f * u - 0.533f * v, 2.112f * u};
#pragma unroll
  for (int k = 0; k < 3; ++k)
    out[(size_t(k) * height + y) * (width / 2) + x] =
        __floats2half2_rn(__saturatef((a + add[k]) / 255), __saturatef((b + add[k]) / 255));
}

/// A frame of slow waves, moved by (dx, dy), with a little noise.
static std::vector<Byte> frame(int width, int height, float dx, float dy, int noise, unsigned seed) {
  Random r{seed};
  std::vector<Byte> v(size_t(width) * height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const float a = x + dx, b = y + dy;
      const float s = sinf(0.11f * a + 0.02f * b) + sinf(0.07f * b - 0.03f * a) + sinf(0.001f * a * b);
      v[size_t(y) * width + x] = Byte(128 + 38 * s + r.below(noise));
    }
  return v;
}

static void search_diamonds(Zoo& zoo) {
  const int width = 640, height = 352, pitch = width + 2 * margin, n = (width / 16) * (height / 16);
  const signed char dx[8] = {2, 1, 0, -1, -2, -1, 0, 1}, dy[8] = {0, 1, 2, 1, 0, -1, -2, -1};
  zoo.ok(cudaMemcpyToSymbol(large_x, dx, sizeof dx));
  zoo.ok(cudaMemcpyToSymbol(large_y, dy, sizeof dy));
  const auto now = frame(width, height, 7 + margin, -4 + margin, 9, 1);
  auto before = frame(pitch, height + 2 * margin, 0, 0, 9, 2);
  before.resize(before.size() + 8);
  auto* found = zoo.zeros<Vector>(n);
  vi_search_diamonds<<<(n + 3) / 4, 128>>>(zoo.upload(now), zoo.upload(before), found, width, height);
  std::vector<int> want;
  for (int k = 0; k < n; ++k) {
    const int x0 = k % (width / 16) * 16, y0 = k / (width / 16) * 16;
    auto cost = [&](int mx, int my) {
      int sum = 2 * (abs(mx) + abs(my));
      for (int i = 0; i < 256; ++i) {
        const int x = x0 + i % 16, y = y0 + i / 16;
        sum += abs(now[y * width + x] - before[(y + my + margin) * pitch + x + mx + margin]);
      }
      return sum;
    };
    int bx = 0, by = 0, best = cost(0, 0);
    for (int round = 0; round < 17; ++round) {
      const bool near = round == 16;
      const int mx = bx, my = by;
      if (!near && best <= 256) continue;
      for (int d = 0; d < 8; d += near ? 2 : 1) {
        const int x = mx + dx[d] / (near ? 2 : 1), y = my + dy[d] / (near ? 2 : 1);
        if (!near && (abs(x) > 24 || abs(y) > 24)) continue;
        const int c = cost(x, y);
        if (c < best) best = c, bx = x, by = y;
      }
      if (!near && bx == mx && by == my) round = 15;
    }
    for (int v : {bx, by, best}) want.push_back(v);
  }
  zoo.expect_each(
      "vi_search_diamonds", (const int*)found, 3 * n, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

static void predict_intra(Zoo& zoo) {
  const int width = 704, height = 512, n = width * height;
  const auto in = frame(width, height, 0, 0, 30, 3);
  std::vector<int> got_modes, want_modes(3);
  std::vector<Byte> want(n);
  for (int block = 0; block < n / 16; ++block) {
    const int x0 = block % (width / 4) * 4, y0 = block / (width / 4) * 4;
    auto at = [&](int x, int y, bool inside) { return inside ? int(want[y * width + x]) : 128; };
    int above[4], left[4], mean = 4, error[3] = {0, 0, 0};
    for (int k = 0; k < 4; ++k) {
      mean += above[k] = at(x0 + k, y0 - 1, y0 % tile > 0);
      mean += left[k] = at(x0 - 1, y0 + k, x0 % tile > 0);
    }
    mean /= 8;
    for (int i = 0; i < 16; ++i) {
      const int s = in[(y0 + i / 4) * width + x0 + i % 4];
      error[0] += abs(s - mean);
      error[1] += abs(s - above[i % 4]);
      error[2] += abs(s - left[i / 4]);
    }
    const int mode = error[0] <= error[1] && error[0] <= error[2] ? 0 : error[1] <= error[2] ? 1 : 2;
    ++want_modes[mode];
    for (int i = 0; i < 16; ++i) {
      const int k = (y0 + i / 4) * width + x0 + i % 4;
      want[k] = Byte(rebuilt(in[k], mode == 0 ? mean : mode == 1 ? above[i % 4] : left[i / 4]));
    }
  }
  Byte* out = zoo.zeros<Byte>(n);
  int* modes = zoo.zeros<int>(3);
  vi_predict_intra<<<dim3(width / tile, height / tile), 256>>>(zoo.upload(in), out, modes, width);
  zoo.expect_each(
      "vi_predict_intra", out, n, 1, [&](size_t i) { return want[i]; }, 1e-12);
  zoo.require("vi_predict_intra", zoo.download(modes, 3) == want_modes, "modes are counted");
}

static void smooth_edges(Zoo& zoo) {
  const int width = 1280, height = 720, n = width * height, quality = 24;
  auto want = frame(width, height, 0, 0, 12, 4);
  std::vector<Byte> strength[2];
  Random r{5};
  for (auto& s : strength) {
    s.resize(161 * 512);
    for (Byte& b : s) b = Byte(r.below(3) ? r.below(5) : 0);
  }
  Byte *half_way = zoo.zeros<Byte>(n), *out = zoo.zeros<Byte>(n);
  const dim3 block(32, 8);
  vi_smooth_edges<<<dim3((width / 8 + 32) / 32, height / 8), block>>>(
      zoo.upload(want), half_way, zoo.upload(strength[0]), width, height, true, quality);
  vi_smooth_edges<<<dim3(width / 32, (height / 8 + 8) / 8), block>>>(half_way, out, zoo.upload(strength[1]),
                                                                     width, height, false, quality);
  for (int upright = 1; upright >= 0; --upright)
    for (int along = 0; along < (upright ? height : width); ++along)
      for (int edge = 1; edge < (upright ? width : height) / 8; ++edge) {
        const int step = upright ? 1 : width, at = along * (upright ? width : 1) + (8 * edge - 4) * step;
        int v[8];
        for (int k = 0; k < 8; ++k) v[k] = want[at + k * step];
        smooth_line(v, strength[1 - upright][edge * 512 + along / 4], quality);
        for (int k = 0; k < 8; ++k) want[at + k * step] = Byte(v[k]);
      }
  zoo.expect_each(
      "vi_smooth_edges", out, n, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("vi_search_diamonds")) search_diamonds(zoo);
  if (zoo.runs("vi_predict_intra")) predict_intra(zoo);
  if (zoo.runs("vi_smooth_edges")) smooth_edges(zoo);
  if (zoo.runs("vi_grain_to_half")) {
    const int width = 1024, height = 576, n = width * height;
    const auto luma = frame(width, height, 0, 0, 9, 6), chroma = frame(width, height / 2, 5, 5, 40, 7);
    std::vector<float> scale(256);
    for (int k = 0; k < 256; ++k) scale[k] = 0.3f * sinf(0.0123f * k);
    zoo.ok(cudaMemcpyToSymbol(grain_scale, scale.data(), sizeof(float) * 256));
    Random r{8};
    std::vector<signed char> grain(64 * 64);
    for (auto& g : grain) g = (signed char)(int(r.below(60)) - 30);
    __half* out = zoo.zeros<__half>(3 * size_t(n));
    vi_grain_to_half<<<dim3(width / 64, height / 8), dim3(32, 8)>>>(
        zoo.upload(luma), (const uchar2*)zoo.upload(chroma), zoo.upload(grain), (__half2*)out, width, height);
    const auto got = zoo.download(out, 3 * size_t(n));
    std::vector<float> plain(got.size());
    for (size_t i = 0; i < got.size(); ++i) plain[i] = __half2float(got[i]);
    const auto want = [&](size_t i) {
      const int k = int(i / n), y = int(i % n / width), x = int(i % width);
      const unsigned shift = (unsigned(x / 32) * 0x9e3779b1u + unsigned(y / 32) * 0x85ebca6bu) >> 20;
      const int g = ((y + (shift >> 6)) % 64) * 64 + (x / 2 * 2 + shift % 64) % 63 + x % 2;
      const int l = luma[y * width + x], c = y / 2 * width + x / 2 * 2;
      const float u = chroma[c] - 128.0f, v = chroma[c + 1] - 128.0f;
      const float add = k == 0 ? 1.793f * v : k == 1 ? -0.213f * u - 0.533f * v : 2.112f * u;
      const float all = (1.164f * (l - 16) + scale[l] * grain[g] + add) / 255;
      return all < 0 ? 0 : all > 1 ? 1 : all;
    };
    zoo.expect_each("vi_grain_to_half", zoo.upload(plain), plain.size(), 1, want, 1e-3);
  }
  return zoo.done();
}
