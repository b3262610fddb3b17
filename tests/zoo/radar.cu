// What a radar does between the antenna and the screen: beams, pulse compression, Doppler spectra, a
// threshold that adapts to clutter, echoes joined into targets, and filters that track them.
#include <cuda_pipeline.h>

#include <algorithm>
#include <complex>

#include "zoo.cuh"

__device__ __forceinline__ float2 mul(float2 a, float2 b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}

constexpr int antennas = 48;

// Delay-and-sum beams: blockIdx.y is the beam, a thread has one snapshot. Sample (antenna, time).
__global__ void rd_steer_beams(const float2* __restrict__ sample, float* __restrict__ power, int times,
                               float spacing) {
  __shared__ float2 weight[antennas];
  const float sine = -1.0f + 2.0f * (blockIdx.y + 0.5f) / gridDim.y;
  if (threadIdx.x < antennas) {
    float s, c;
    sincospif(-2.0f * spacing * sine * threadIdx.x, &s, &c);
    weight[threadIdx.x] = make_float2(c, s);
  }
  __syncthreads();
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= times) return;
  float2 sum = make_float2(0, 0);
#pragma unroll 4
  for (int a = 0; a < antennas; ++a) {
    const float2 p = mul(sample[a * times + t], weight[a]);
    sum.x += p.x;
    sum.y += p.y;
  }
  power[blockIdx.y * times + t] = sum.x * sum.x + sum.y * sum.y;
}

constexpr int chirp_length = 96, ranges = 128;

// A matched filter over the ranges of one pulse per block. While a window is filtered, the next one is
// copied.
__global__ void __launch_bounds__(ranges)
    rd_compress_pulses(const float2* echo, const float2* chirp, float2* out, int windows) {
  constexpr int span = ranges + chirp_length;
  __shared__ float2 window[2][span];
  __shared__ float2 replica[chirp_length];
  const int t = threadIdx.x, length = windows * ranges + chirp_length;
  const float2* mine = echo + size_t(blockIdx.x) * length;
  for (int i = t; i < span; i += ranges) __pipeline_memcpy_async(&window[0][i], &mine[i], sizeof(float2));
  __pipeline_commit();
  if (t < chirp_length) replica[t] = chirp[t];
  for (int w = 0; w < windows; ++w) {
    if (w + 1 < windows)
      for (int i = t; i < span; i += ranges)
        __pipeline_memcpy_async(&window[(w + 1) & 1][i], &mine[(w + 1) * ranges + i], sizeof(float2));
    __pipeline_commit();
    __pipeline_wait_prior(1);
    __syncthreads();
    float re = 0, im = 0;
    const float2* x = window[w & 1] + t;
#pragma unroll 8
    for (int k = 0; k < chirp_length; ++k) {
      const float2 a = x[k], b = replica[k];
      re = fmaf(a.x, b.x, fmaf(a.y, b.y, re));
      im = fmaf(a.y, b.x, fmaf(-a.x, b.y, im));
    }
    out[(size_t(blockIdx.x) * windows + w) * ranges + t] = make_float2(re, im);
    __syncthreads();
  }
}

constexpr int pulses = 64;

// Doppler spectrum of 64 pulses: a warp per range, two values per lane, exchanged by shuffles. The power of
// frequency f goes to spectrum[range][f].
__global__ void rd_doppler_spectra(const float2* pulse, float* spectrum, int cells) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (warp >= unsigned(cells)) return;
  const float2 x0 = pulse[size_t(warp) * pulses + lane], x1 = pulse[size_t(warp) * pulses + lane + 32];
  float2 w;
  __sincosf(-2.0f * 3.14159265f * lane / pulses, &w.y, &w.x);
  float2 v[2] = {make_float2(x0.x + x1.x, x0.y + x1.y), mul(make_float2(x0.x - x1.x, x0.y - x1.y), w)};
#pragma unroll
  for (unsigned h = 16; h; h >>= 1) {
    __sincosf(-3.14159265f * (lane & (h - 1)) / h, &w.y, &w.x);
#pragma unroll
    for (int k = 0; k < 2; ++k) {
      const float2 o = make_float2(__shfl_xor_sync(~0u, v[k].x, h), __shfl_xor_sync(~0u, v[k].y, h));
      v[k] = lane & h ? mul(make_float2(o.x - v[k].x, o.y - v[k].y), w)
                      : make_float2(v[k].x + o.x, v[k].y + o.y);
    }
  }
  const unsigned f = 2 * (__brev(lane) >> 27);
  float* to = spectrum + size_t(warp) * pulses + f;
  to[0] = v[0].x * v[0].x + v[0].y * v[0].y;
  to[1] = v[1].x * v[1].x + v[1].y * v[1].y;
}

constexpr int tile = 16, ring = 6, guard = 2, tile_span = tile + 2 * ring;
constexpr unsigned ring_cells = (2 * ring + 1) * (2 * ring + 1) - (2 * guard + 1) * (2 * guard + 1);

// Constant false alarm rate: a cell is an echo where it is above four times the mean of the ring around it.
__global__ void rd_adapt_threshold(const unsigned short* map, unsigned char* echo, unsigned* echoes,
                                   int width, int height) {
  __shared__ unsigned cell[tile_span][tile_span + 1];
  const int left = blockIdx.x * tile - ring, top = blockIdx.y * tile - ring;
  for (int y = threadIdx.y; y < tile_span; y += tile)
    for (int x = threadIdx.x; x < tile_span; x += tile) {
      const int u = min(max(left + x, 0), width - 1), v = min(max(top + y, 0), height - 1);
      cell[y][x] = map[v * width + u];
    }
  __syncthreads();
  unsigned sum = 0;
  for (int dy = 0; dy <= 2 * ring; ++dy)
    for (int dx = 0; dx <= 2 * ring; ++dx) {
      const bool near = abs(dy - ring) <= guard && abs(dx - ring) <= guard;
      sum += near ? 0 : cell[threadIdx.y + dy][threadIdx.x + dx];
    }
  const int x = blockIdx.x * tile + threadIdx.x, y = blockIdx.y * tile + threadIdx.y;
  const bool hit = cell[threadIdx.y + ring][threadIdx.x + ring] * ring_cells > 4 * sum;
  if (x < width && y < height) echo[y * width + x] = hit;
  const int all = __syncthreads_count(hit && x < width && y < height);
  if (threadIdx.x == 0 && threadIdx.y == 0 && all) atomicAdd(echoes, unsigned(all));
}

// One block joins echoes that are near one another: each takes the smallest label in its reach until no label
// changes.
__global__ void rd_join_echoes(const float2* place, int* label, int n, float reach) {
  extern __shared__ float2 shared_place[];
  int* mine = (int*)(shared_place + n);
  const int t = threadIdx.x;
  if (t < n) {
    shared_place[t] = place[t];
    mine[t] = t;
  }
  __syncthreads();
  bool changed = true;
  while (__syncthreads_or(changed)) {
    int least = t < n ? mine[t] : 0;
    const int before = least;
    if (t < n) {
      const float2 p = shared_place[t];
      for (int k = 0; k < n; ++k) {
        const float dx = shared_place[k].x - p.x, dy = shared_place[k].y - p.y;
        if (dx * dx + dy * dy < reach * reach) least = min(least, mine[k]);
      }
      least = mine[least];
    }
    __syncthreads();
    changed = least != before;
    if (changed) mine[t] = least;
  }
  if (t < n) label[t] = mine[t];
}

struct Track {
  double x[4];  // Place and speed.
  double p[4][4];
};

__host__ __device__ inline void follow(Track& k, double zx, double zy, double dt, double noise) {
  double f[4][4], gain[4][2];
  k.x[0] += dt * k.x[2];
  k.x[1] += dt * k.x[3];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) f[i][j] = k.p[i][j] + (i < 2 ? dt * k.p[i + 2][j] : 0);
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) k.p[i][j] = f[i][j] + (j < 2 ? dt * f[i][j + 2] : 0) + (i == j ? 0.01 : 0);
  const double a = k.p[0][0] + noise, b = k.p[0][1], c = k.p[1][0], d = k.p[1][1] + noise,
               inverse = 1 / (a * d - b * c);
  for (int i = 0; i < 4; ++i) {
    gain[i][0] = (k.p[i][0] * d - k.p[i][1] * c) * inverse;
    gain[i][1] = (k.p[i][1] * a - k.p[i][0] * b) * inverse;
  }
  const double ex = zx - k.x[0], ey = zy - k.x[1];
  for (int i = 0; i < 4; ++i) k.x[i] += gain[i][0] * ex + gain[i][1] * ey;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) f[i][j] = k.p[i][j] - gain[i][0] * k.p[0][j] - gain[i][1] * k.p[1][j];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) k.p[i][j] = f[i][j];
}

// A Kalman filter per target over its scans, in double precision.
__global__ void rd_follow_targets(const Track* start, const double2* seen, double2* out, int n, int scans) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Track k = start[i];
  for (int s = 0; s < scans; ++s) {
    const double2 z = seen[size_t(s) * n + i];
    follow(k, z.x, z.y, 0.5, 0.2 + 0.1 * s);
  }
  out[2 * i] = make_double2(k.x[0], k.x[1]);
  out[2 * i + 1] = make_double2(k.x[2], k.x[3]);
}

using Complex = std::complex<double>;

static std::vector<float2> pairs(int n, unsigned seed) {
  const auto f = random_floats(2 * size_t(n), seed, -1, 1);
  std::vector<float2> v(n);
  for (int i = 0; i < n; ++i) v[i] = make_float2(f[2 * i], f[2 * i + 1]);
  return v;
}

static void steer_beams(Zoo& zoo) {
  const int times = 1500, beams = 40;
  const auto sample = pairs(antennas * times, 1);
  float* power = zoo.zeros<float>(beams * times);
  rd_steer_beams<<<dim3((times + 127) / 128, beams), 128>>>(zoo.upload(sample), power, times, 0.5f);
  const auto want = [&](size_t i) {
    Complex sum = 0;
    const double sine = -1 + 2 * (double(i / times) + 0.5) / beams;
    for (int a = 0; a < antennas; ++a) {
      const float2 s = sample[a * times + i % times];
      sum += Complex(s.x, s.y) * std::polar(1.0, -M_PI * sine * a);
    }
    return std::norm(sum);
  };
  zoo.expect_each("rd_steer_beams", power, beams * times, 37, want, 1e-3);
}

static void compress_pulses(Zoo& zoo) {
  const int n = 200, windows = 5, length = windows * ranges + chirp_length;
  const auto echo = pairs(n * length, 2), chirp = pairs(chirp_length, 3);
  const int outs = n * windows * ranges;
  float2* out = zoo.zeros<float2>(outs);
  rd_compress_pulses<<<n, ranges>>>(zoo.upload(echo), zoo.upload(chirp), out, windows);
  const auto want = [&](size_t i) {
    const size_t o = i / 2, p = o / (windows * ranges), r = o % (windows * ranges);
    Complex sum = 0;
    for (int k = 0; k < chirp_length; ++k) {
      const float2 e = echo[p * length + r + k];
      sum += Complex(e.x, e.y) * Complex(chirp[k].x, -chirp[k].y);
    }
    return i % 2 ? sum.imag() : sum.real();
  };
  zoo.expect_each("rd_compress_pulses", (const float*)out, 2 * outs, 101, want, 1e-3);
}

static void doppler_spectra(Zoo& zoo) {
  const int cells = 6000;
  const auto pulse = pairs(cells * pulses, 4);
  float* spectrum = zoo.zeros<float>(cells * pulses);
  rd_doppler_spectra<<<(cells + 3) / 4, 128>>>(zoo.upload(pulse), spectrum, cells);
  const auto want = [&](size_t i) {
    Complex sum = 0;
    for (int k = 0; k < pulses; ++k) {
      const float2 p = pulse[i / pulses * pulses + k];
      sum += Complex(p.x, p.y) * std::polar(1.0, -2 * M_PI * double(i % pulses) * k / pulses);
    }
    return std::norm(sum);
  };
  zoo.expect_each("rd_doppler_spectra", spectrum, cells * pulses, 131, want, 2e-3);
}

static void adapt_threshold(Zoo& zoo) {
  const int width = 300, height = 150, n = width * height;
  Random r{5};
  std::vector<unsigned short> map(n);
  for (auto& m : map) m = (unsigned short)(r.below(100) ? r.below(900) : r.below(9000));
  auto* echo = zoo.zeros<unsigned char>(n);
  auto* echoes = zoo.zeros<unsigned>(1);
  rd_adapt_threshold<<<dim3((width + 15) / 16, (height + 15) / 16), dim3(tile, tile)>>>(
      zoo.upload(map), echo, echoes, width, height);
  const auto want = [&](size_t i) {
    unsigned sum = 0;
    for (int dy = -ring; dy <= ring; ++dy)
      for (int dx = -ring; dx <= ring; ++dx)
        if (abs(dx) > guard || abs(dy) > guard)
          sum += map[std::clamp(int(i) / width + dy, 0, height - 1) * width +
                     std::clamp(int(i) % width + dx, 0, width - 1)];
    return map[i] * ring_cells > 4 * sum;
  };
  zoo.expect_each("rd_adapt_threshold", echo, n, 7, want, 1e-12);
}

static void join_echoes(Zoo& zoo) {
  const int n = 250;
  auto place = pairs(n, 6);
  const float reach = 0.1f;
  int* label = zoo.zeros<int>(n);
  rd_join_echoes<<<1, 256, n*(sizeof(float2) + sizeof(int))>>>(zoo.upload(place), label, n, reach);
  std::vector<int> want(n);
  for (int i = 0; i < n; ++i) want[i] = i;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) {
        const float dx = place[k].x - place[i].x, dy = place[k].y - place[i].y;
        if (fmaf(dx, dx, dy * dy) >= reach * reach || want[k] >= want[i]) continue;
        want[i] = want[k];
        changed = true;
      }
  }
  zoo.expect_each(
      "rd_join_echoes", label, n, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

static void follow_targets(Zoo& zoo) {
  const int n = 5000, scans = 10;
  std::vector<Track> start(n, Track{});
  const auto r = random_doubles(4 * n, 7, -5, 5), z = random_doubles(2 * size_t(n) * scans, 8, -9, 9);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < 4; ++k) {
      start[i].x[k] = r[4 * i + k];
      start[i].p[k][k] = 1 + k;
    }
  std::vector<double2> seen(size_t(n) * scans);
  for (size_t i = 0; i < seen.size(); ++i) seen[i] = make_double2(z[2 * i], z[2 * i + 1]);
  double2* out = zoo.zeros<double2>(2 * n);
  rd_follow_targets<<<(n + 63) / 64, 64>>>(zoo.upload(start), zoo.upload(seen), out, n, scans);
  const auto want = [&](size_t i) {
    Track k = start[i / 4];
    for (int s = 0; s < scans; ++s)
      follow(k, seen[s * n + i / 4].x, seen[s * n + i / 4].y, 0.5, 0.2 + 0.1 * s);
    return k.x[i % 4];
  };
  zoo.expect_each("rd_follow_targets", (const double*)out, 4 * n, 17, want, 1e-9);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("rd_steer_beams")) steer_beams(zoo);
  if (zoo.runs("rd_compress_pulses")) compress_pulses(zoo);
  if (zoo.runs("rd_doppler_spectra")) doppler_spectra(zoo);
  if (zoo.runs("rd_adapt_threshold")) adapt_threshold(zoo);
  if (zoo.runs("rd_join_echoes")) join_echoes(zoo);
  if (zoo.runs("rd_follow_targets")) follow_targets(zoo);
  return zoo.done();
}
