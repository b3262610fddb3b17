// Astronomy: gravity by a tree without recursion, periods at which a star dims, rays bent by many lenses, and
// the light curves of planets that pass.
#include <algorithm>

#include "zoo.cuh"

struct Node {
  float x, y, z, mass;
  float size;  // 0: one body.
  int next;    // Behind everything inside.
};

__host__ __device__ inline void add_pull(const Node& n, float dx, float dy, float dz, float far, float* a) {
  const float inverse = 1 / sqrtf(far + 1e-4f), k = n.mass * inverse * inverse * inverse;
  a[0] += k * dx;
  a[1] += k * dy;
  a[2] += k * dz;
}

__host__ __device__ inline void walk(const Node* node, int nodes, float4 p, float opening, float* a) {
  for (int i = 0; i < nodes;) {
    const Node n = node[i];
    const float dx = n.x - p.x, dy = n.y - p.y, dz = n.z - p.z, far = dx * dx + dy * dy + dz * dz;
    if (n.size * n.size < opening * far || n.size == 0) {
      add_pull(n, dx, dy, dz, far, a);
      i = n.next;
    } else {
      ++i;
    }
  }
}

// Barnes and Hut: nodes in the order of a depth-first walk, each with the place behind its inside.
__global__ void sk_walk_tree(const Node* node, int nodes, const float4* body, float4* pull, float opening,
                             int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float a[3] = {0, 0, 0};
  walk(node, nodes, body[i], opening, a);
  pull[i] = make_float4(a[0], a[1], a[2], 0);
}

constexpr int bins = 128;

// A block per period: the star's brightness by its phase, in whole numbers, and the box that is darkest.
__global__ void __launch_bounds__(bins)
    sk_fold_periods(const double* time, const int* light, float* power, double first, double step, int n) {
  __shared__ int sum[bins], count[bins];
  __shared__ float warps[bins / 32];
  const int t = threadIdx.x;
  sum[t] = count[t] = 0;
  __syncthreads();
  const double often = first + step * blockIdx.x;
  for (int i = t; i < n; i += bins) {
    const double turns = time[i] * often;
    const int bin = min(int((turns - floor(turns)) * bins), bins - 1);
    atomicAdd(&sum[bin], light[i]);
    atomicAdd(&count[bin], 1);
  }
  __syncthreads();
  float best = 0;
  int in_box = 0, samples = 0;
  for (int width = 1; width <= 12; ++width) {
    const int k = (t + width - 1) % bins;
    in_box += sum[k];
    samples += count[k];
    if (samples > 0 && in_box < 0) {
      const float r = float(samples) / n, s = float(in_box) / n;
      best = fmaxf(best, s * s / (r * (1 - r)));
    }
  }
  best = __uint_as_float(__reduce_max_sync(~0u, __float_as_uint(best)));
  if (t % 32 == 0) warps[t / 32] = best;
  __syncthreads();
  if (t == 0) power[blockIdx.x] = fmaxf(fmaxf(warps[0], warps[1]), fmaxf(warps[2], warps[3]));
}

constexpr int map_side = 96, lenses = 56;

__host__ __device__ inline int lands_on(float x, float y, const float4* lens, float shear) {
  float u = x * (1 - shear), v = y * (1 + shear);
  for (int k = 0; k < lenses; ++k) {
    const float dx = x - lens[k].x, dy = y - lens[k].y, d = lens[k].z / (dx * dx + dy * dy + 1e-6f);
    u -= d * dx;
    v -= d * dy;
  }
  const int i = int(floorf(8 * u)) + map_side / 2, j = int(floorf(8 * v)) + map_side / 2;
  return i < 0 || j < 0 || i >= map_side || j >= map_side ? -1 : j * map_side + i;
}

// Rays shot back through a field of stars; where they land they are counted. A thread has four rays.
__global__ void sk_shoot_rays(const float4* stars, unsigned* map, int across, float apart, float shear) {
  __shared__ float4 lens[lenses];
  if (threadIdx.x < lenses) lens[threadIdx.x] = stars[threadIdx.x];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, rays = across * across;
  for (int k = i; k < rays; k += rays / 4) {
    const float x = (k % across - across / 2 + 0.5f) * apart, y = (k / across - across / 2 + 0.5f) * apart;
    const int at = lands_on(x, y, lens, shear);
    if (at >= 0) atomicAdd(&map[at], 1u);
  }
}

struct Planet {
  double period, radius, axis, impact, u1, u2;
};

/// The part of a ring of radius r around the star's middle that a disc of radius p at distance z covers.
__host__ __device__ inline double covered(double r, double p, double z) {
  if (z >= r + p) return 0;
  if (r <= p - z) return 1;
  if (r >= p + z || r <= z - p) return 0;
  const double c = (r * r + z * z - p * p) / (2 * r * z);
  return acos(c < -1 ? -1 : c > 1 ? 1 : c) / 3.14159265358979;
}

__host__ __device__ inline double light_at(const Planet& p, double time) {
  const double angle = 6.283185307179586 * time / p.period, s = sin(angle), c = cos(angle);
  const double z = p.axis * sqrt(s * s + p.impact * p.impact * c * c);
  if (c < 0 || z >= 1 + p.radius) return 1;  // Behind the star or beside it.
  double dark = 0, all = 0;
  const int rings = 24;
  for (int k = 0; k < rings; ++k) {
    const double r = (k + 0.5) / rings, mu = sqrt(1 - r * r);
    const double bright = r * (1 - p.u1 * (1 - mu) - p.u2 * (1 - mu) * (1 - mu));
    all += bright;
    dark += bright * covered(r, p.radius, z);
  }
  return 1 - dark / all;
}

// How a planet dims its star, ring by ring in double precision. Most of the time it does not.
__global__ void sk_draw_transits(const Planet* planet, double* light, double apart, int times) {
  const Planet p = planet[blockIdx.x];
  for (int t = threadIdx.x; t < times; t += blockDim.x)
    light[size_t(blockIdx.x) * times + t] = light_at(p, (t - times / 2) * apart);
}

/// The nodes over bodies[first, last) in a cube at (x, y, z); bodies come out in the order of the walk.
static void grow(std::vector<Node>& node, float4* first, float4* last, float x, float y, float z,
                 float size) {
  const size_t at = node.size();
  Node n = {0, 0, 0, 0, last - first == 1 ? 0 : size, 0};
  for (const float4* b = first; b < last; ++b) {
    n.x += b->w * b->x;
    n.y += b->w * b->y;
    n.z += b->w * b->z;
    n.mass += b->w;
  }
  n.x /= n.mass;
  n.y /= n.mass;
  n.z /= n.mass;
  node.push_back(n);
  const float h = size / 2;
  if (last - first > 1)
    for (int k = 0; k < 8; ++k) {
      const float u = k & 1 ? x + h : x, v = k & 2 ? y + h : y, w = k & 4 ? z + h : z;
      float4* rest = first;
      for (float4* c = first; c < last; ++c)
        if ((c->x >= x + h) == (k % 2) && (c->y >= y + h) == (k / 2 % 2) && (c->z >= z + h) == k / 4)
          std::swap(*c, *rest++);
      if (rest > first) grow(node, first, rest, u, v, w, h);
      first = rest;
    }
  node[at].next = int(node.size());
}

static void walk_tree(Zoo& zoo) {
  const int n = 9000;
  const float opening = 0.5f;
  std::vector<float4> body(n);
  Random r{1};
  for (float4& b : body) {
    const float far = r.unit() * r.unit() * 0.48f, angle = 6.283f * r.unit(), height = r.unit() - 0.5f;
    b = make_float4(0.5f + far * cosf(angle), 0.5f + far * sinf(angle),
                    0.5f + 0.3f * height * height * height, 0.5f + r.unit());
  }
  std::vector<Node> node;
  grow(node, body.data(), body.data() + n, 0, 0, 0, 1);
  float4* pull = zoo.zeros<float4>(n);
  sk_walk_tree<<<(n + 127) / 128, 128>>>(zoo.upload(node), int(node.size()), zoo.upload(body), pull, opening,
                                         n);
  const auto want = [&](size_t i) {
    float a[3] = {0, 0, 0};
    if (i % 4 < 3) walk(node.data(), int(node.size()), body[i / 4], opening, a);
    return i % 4 < 3 ? a[i % 4] : 0;
  };
  zoo.expect_each("sk_walk_tree", (const float*)pull, 4 * n, 157, want, 5e-3);
  double off = 0, all = 0;  // Against every pair.
  const auto got = zoo.download(pull, n);
  for (int i = 0; i < n; i += 91) {
    float a[3] = {0, 0, 0};
    walk(node.data(), int(node.size()), body[i], 0, a);
    off += (got[i].x - a[0]) * (got[i].x - a[0]) + (got[i].y - a[1]) * (got[i].y - a[1]);
    all += a[0] * a[0] + a[1] * a[1];
  }
  zoo.require("sk_walk_tree", off < 1e-3 * all, "the tree's pull is nearly that of all bodies");
}

static void fold_periods(Zoo& zoo) {
  const int n = 2600, periods = 396, planted = 250;
  const double first = 0.2, step = 0.0004;
  std::vector<double> time(n);
  std::vector<int> light(n);
  Random r{2};
  for (int i = 0; i < n; ++i) {
    time[i] = i * 0.02 + 0.01 * r.unit() + (i > n / 2 ? 7.3 : 0);
    const double turns = time[i] * (first + step * planted) + 0.3;
    light[i] = int(r.below(400)) - 200 - (turns - floor(turns) < 0.05 ? 300 : -16);
  }
  float* power = zoo.zeros<float>(periods);
  sk_fold_periods<<<periods, bins>>>(zoo.upload(time), zoo.upload(light), power, first, step, n);
  const auto want = [&](size_t k) {
    std::vector<int> sum(2 * bins), count(2 * bins);
    for (int i = 0; i < n; ++i) {
      const double turns = time[i] * (first + step * double(k));
      const int bin = std::min(int((turns - floor(turns)) * bins), bins - 1);
      for (int b : {bin, bin + bins}) sum[b] += light[i], ++count[b];
    }
    double best = 0;
    for (int from = 0; from < bins; ++from)
      for (int width = 1, s = 0, c = 0; width <= 12; ++width) {
        s += sum[from + width - 1];
        c += count[from + width - 1];
        const double part = double(c) / n, depth = double(s) / n;
        if (c && s < 0) best = std::max(best, depth * depth / (part * (1 - part)));
      }
    return best;
  };
  zoo.expect_each("sk_fold_periods", power, periods, 7, want, 2e-2);
  const auto got = zoo.download(power, periods);
  zoo.require("sk_fold_periods", std::max_element(got.begin(), got.end()) - got.begin() == planted,
              "the planted period has the most power");
}

static void shoot_rays(Zoo& zoo) {
  const int across = 320, rays = across * across;
  const float apart = 0.06f, shear = 0.1f;
  std::vector<float4> lens(lenses);
  Random r{3};
  for (float4& l : lens) l = make_float4(14 * r.unit() - 7, 14 * r.unit() - 7, 0.3f + 1.2f * r.unit(), 0);
  unsigned* map = zoo.zeros<unsigned>(map_side * map_side);
  sk_shoot_rays<<<rays / 4 / 128, 128>>>(zoo.upload(lens), map, across, apart, shear);
  std::vector<double> want(map_side * map_side);
  for (int k = 0; k < rays; ++k) {
    const float x = (k % across - across / 2 + 0.5f) * apart, y = (k / across - across / 2 + 0.5f) * apart;
    const int at = lands_on(x, y, lens.data(), shear);
    if (at >= 0) ++want[at];
  }
  zoo.show("sk_shoot_rays", map, map_side * map_side);
  const auto got = zoo.download(map, map_side * map_side);
  double off = 0, all = 0;  // A ray at a border may land on either side of it.
  for (size_t i = 0; i < got.size(); ++i) {
    off += fabs(got[i] - want[i]);
    all += want[i];
  }
  zoo.require("sk_shoot_rays", all > rays / 8 && off < 2e-3 * all, "rays land where they should");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sk_walk_tree")) walk_tree(zoo);
  if (zoo.runs("sk_fold_periods")) fold_periods(zoo);
  if (zoo.runs("sk_shoot_rays")) shoot_rays(zoo);
  if (zoo.runs("sk_draw_transits")) {
    const int planets = 200, times = 240;
    const double apart = 0.004;
    std::vector<Planet> planet(planets);
    Random r{4};
    for (Planet& p : planet)
      p = {1 + 4 * r.unit(), 0.02 + 0.13 * r.unit(), 3 + 7 * r.unit(),
           0.13 * r.unit(),  0.2 + 0.3 * r.unit(),   0.1 + 0.2 * r.unit()};
    double* light = zoo.zeros<double>(planets * times);
    sk_draw_transits<<<planets, 96>>>(zoo.upload(planet), light, apart, times);
    const auto want = [&](size_t i) {
      return light_at(planet[i / times], (int(i % times) - times / 2) * apart);
    };
    zoo.expect_each("sk_draw_transits", light, planets * times, 7, want, 1e-9);
  }
  return zoo.done();
}
