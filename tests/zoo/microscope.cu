// Stacks of microscope images: what is in focus, contrast tile by tile, spots fitted to a part of a pixel,
// and basins found by jumping down.
#include <algorithm>

#include "zoo.cuh"

using Pixel = unsigned short;

// The slice in which each pixel is sharpest, by a sum of second differences, and between slices by a
// parabola.
__global__ void mi_stack_focus(const Pixel* stack, float* depth, Pixel* sharp, int width, int height,
                               int slices) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int left = max(x - 1, 0) - x, right = min(x + 1, width - 1) - x;
  const int up = (max(y - 1, 0) - y) * width, down = (min(y + 1, height - 1) - y) * width;
  int before = 0, now = 0, low = 0, high = 0, most = -1, best = 0, value = 0;
  bool follows = false;
  for (int s = 0; s < slices; ++s) {
    const Pixel* p = stack + (size_t(s) * height + y) * width + x;
    const int c = p[0];
    before = now;
    now = abs(2 * c - p[left] - p[right]) + abs(2 * c - p[up] - p[down]);
    if (follows) high = now;
    follows = now > most;
    if (follows) {
      most = now;
      best = s;
      value = c;
      low = s ? before : now;
      high = now;
    }
  }
  const int bend = low - 2 * most + high;
  depth[y * width + x] = best + (bend < 0 ? 0.5f * float(low - high) / float(bend) : 0.0f);
  sharp[y * width + x] = Pixel(value);
}

constexpr int tile = 48, tile_pixels = tile * tile, levels = 256;

// A block per tile: a histogram whose peaks are cut and spread over all levels, its running sum, and each
// pixel by that table.
__global__ void __launch_bounds__(levels)
    mi_equalise_tiles(const Pixel* in, unsigned char* out, int width, int limit) {
  __shared__ int count[levels], warps[levels / 32], cut;
  __shared__ unsigned char table[levels];
  const int t = threadIdx.x, lane = t % 32;
  const size_t corner = size_t(blockIdx.y) * tile * width + blockIdx.x * tile;
  count[t] = 0;
  if (t == 0) cut = 0;
  __syncthreads();
  for (int i = t; i < tile_pixels; i += levels)
    atomicAdd(&count[in[corner + i / tile * width + i % tile] >> 4], 1);
  __syncthreads();
  int mine = count[t];
  if (mine > limit) {
    atomicAdd(&cut, mine - limit);
    mine = limit;
  }
  __syncthreads();
  mine += cut / levels + (t < cut % levels ? 1 : 0);
  for (int d = 1; d < 32; d *= 2) {
    const int other = __shfl_up_sync(~0u, mine, d);
    if (lane >= d) mine += other;
  }
  if (lane == 31) warps[t / 32] = mine;
  __syncthreads();
  for (int w = 0; w < t / 32; ++w) mine += warps[w];
  table[t] = (unsigned char)(mine * 255 / tile_pixels);
  __syncthreads();
  for (int i = t; i < tile_pixels; i += levels) {
    const size_t at = corner + i / tile * width + i % tile;
    out[at] = table[in[at] >> 4];
  }
}

constexpr int window = 7, unknowns = 5;

struct Spot {
  float x, y, width, height, ground;
};

// Gauss-Newton for a spot of light: its place, width, height and background, from 7 x 7 pixels. All of the
// normal equations are in registers.
__global__ void __launch_bounds__(64)
    mi_fit_spots(const Pixel* image, const int2* corner, Spot* spot, int pitch, int rounds, int n) {
  const int i = blockIdx.x * 64 + threadIdx.x;
  if (i >= n) return;
  const Pixel* p = image + size_t(corner[i].y) * pitch + corner[i].x;
  float v[window * window], least = 65535, most = 0;
#pragma unroll
  for (int k = 0; k < window * window; ++k) {
    v[k] = p[k / window * pitch + k % window];
    least = fminf(least, v[k]);
    most = fmaxf(most, v[k]);
  }
  float b[unknowns] = {3, 3, 1.3f, most - least, least};
  for (int round = 0; round < rounds; ++round) {
    float a[unknowns][unknowns] = {}, right[unknowns] = {};
    const float narrow = 1 / (b[2] * b[2]);
#pragma unroll
    for (int k = 0; k < window * window; ++k) {
      const float dx = k % window - b[0], dy = k / window - b[1], far = dx * dx + dy * dy;
      const float bell = __expf(-0.5f * far * narrow), slope = b[3] * bell * narrow;
      const float row[unknowns] = {slope * dx, slope * dy, slope * far / b[2], bell, 1};
      const float off = v[k] - b[3] * bell - b[4];
#pragma unroll
      for (int r = 0; r < unknowns; ++r) {
        right[r] += row[r] * off;
#pragma unroll
        for (int c = 0; c <= r; ++c) a[r][c] += row[r] * row[c];
      }
    }
#pragma unroll
    for (int c = 0; c < unknowns; ++c) {  // Cholesky; then both triangles.
      a[c][c] *= 1.01f;
#pragma unroll
      for (int k = 0; k < c; ++k) a[c][c] -= a[c][k] * a[c][k];
      a[c][c] = rsqrtf(a[c][c]);
#pragma unroll
      for (int r = c + 1; r < unknowns; ++r) {
#pragma unroll
        for (int k = 0; k < c; ++k) a[r][c] -= a[r][k] * a[c][k];
        a[r][c] *= a[c][c];
      }
    }
#pragma unroll
    for (int r = 0; r < unknowns; ++r) {
#pragma unroll
      for (int k = 0; k < r; ++k) right[r] -= a[r][k] * right[k];
      right[r] *= a[r][r];
    }
#pragma unroll
    for (int r = unknowns - 1; r >= 0; --r) {
#pragma unroll
      for (int k = r + 1; k < unknowns; ++k) right[r] -= a[k][r] * right[k];
      right[r] *= a[r][r];
      b[r] += right[r];
    }
  }
  spot[i] = {corner[i].x + b[0], corner[i].y + b[1], b[2], b[3], b[4]};
}

// One round of jumps: where the pixel that a pixel points to points to.
__global__ void mi_jump_basins(const int* from, int* to, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 3 < n) {
    const int4 k = *(const int4*)&from[i];
    *(int4*)&to[i] = make_int4(from[k.x], from[k.y], from[k.z], from[k.w]);
  } else {
    for (int k = i; k < n; ++k) to[k] = from[from[k]];
  }
}

static void stack_focus(Zoo& zoo) {
  const int width = 300, height = 210, slices = 18, n = width * height;
  std::vector<Pixel> stack(size_t(n) * slices);
  Random r{1};
  for (int s = 0; s < slices; ++s)
    for (int i = 0; i < n; ++i) {
      const float off = s - 9 - 6 * sinf(0.02f * (i % width)) * cosf(0.03f * (i / width));
      stack[size_t(s) * n + i] = Pixel(800 + r.below(100) + r.below(2) * 2000 / (1 + off * off));
    }
  float* depth = zoo.zeros<float>(n);
  Pixel* sharp = zoo.zeros<Pixel>(n);
  mi_stack_focus<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(zoo.upload(stack), depth, sharp,
                                                                             width, height, slices);
  const auto want = [&](size_t i) {
    const int x = int(i % width), y = int(i / width);
    std::vector<int> change(slices);
    for (int s = 0; s < slices; ++s) {
      auto at = [&](int u, int v) {
        u = std::min(std::max(u, 0), width - 1);
        v = std::min(std::max(v, 0), height - 1);
        return int(stack[size_t(s) * n + v * width + u]);
      };
      change[s] =
          abs(2 * at(x, y) - at(x - 1, y) - at(x + 1, y)) + abs(2 * at(x, y) - at(x, y - 1) - at(x, y + 1));
    }
    const int b = int(std::max_element(change.begin(), change.end()) - change.begin());
    const int low = change[b ? b - 1 : b], high = change[b < slices - 1 ? b + 1 : b];
    const int bend = low - 2 * change[b] + high;
    return b + (bend < 0 ? 0.5 * (low - high) / bend : 0);
  };
  zoo.expect_each("mi_stack_focus", depth, n, 1, want, 1e-5);
}

static void equalise_tiles(Zoo& zoo) {
  const int width = 20 * tile, height = 14 * tile, n = width * height, limit = 40;
  std::vector<Pixel> in(n);
  Random r{2};
  for (int i = 0; i < n; ++i) {
    const float light = 1000 + 900 * sinf(0.008f * (i % width)) * sinf(0.006f * (i / width));
    in[i] = Pixel(light + r.below(300) * (r.below(10) ? 1 : 6));
  }
  std::vector<int> want(n);
  for (int block = 0; block < n / tile_pixels; ++block) {
    const int corner = block / 20 * tile * width + block % 20 * tile;
    std::vector<int> count(levels), table(levels);
    int cut = 0, sum = 0;
    for (int i = 0; i < tile_pixels; ++i) ++count[in[corner + i / tile * width + i % tile] / 16];
    for (int c : count) cut += std::max(c - limit, 0);
    for (int k = 0; k < levels; ++k) {
      sum += std::min(count[k], limit) + cut / levels + (k < cut % levels);
      table[k] = sum * 255 / tile_pixels;
    }
    for (int i = 0; i < tile_pixels; ++i) {
      const int at = corner + i / tile * width + i % tile;
      want[at] = table[in[at] / 16];
    }
  }
  auto* out = zoo.zeros<unsigned char>(n);
  mi_equalise_tiles<<<dim3(20, 14), levels>>>(zoo.upload(in), out, width, limit);
  zoo.expect_each(
      "mi_equalise_tiles", out, n, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

static void fit_spots(Zoo& zoo) {
  const int across = 70, n = across * 60, pitch = across * 10, rounds = 9;
  std::vector<Pixel> image(size_t(pitch) * 600);
  std::vector<int2> corner(n);
  std::vector<Spot> planted(n);
  Random r{3};
  for (int i = 0; i < n; ++i) {
    const int x = i % across * 10, y = i / across * 10;
    const Spot s = planted[i] = {x + 4 + r.unit(), y + 4 + r.unit(), 1.1f + 0.5f * r.unit(),
                                 4000 + 9000 * r.unit(), 300 + 100 * r.unit()};
    corner[i] = make_int2(x + 1, y + 1);
    for (int k = 0; k < 100; ++k) {
      const float dx = x + k % 10 - s.x, dy = y + k / 10 - s.y;
      const float v = s.height * expf(-0.5f * (dx * dx + dy * dy) / (s.width * s.width)) + s.ground;
      image[size_t(y + k / 10) * pitch + x + k % 10] = Pixel(v + 8 * r.unit());
    }
  }
  auto* spot = zoo.zeros<Spot>(n);
  mi_fit_spots<<<(n + 63) / 64, 64>>>(zoo.upload(image), zoo.upload(corner), spot, pitch, rounds, n);
  zoo.show("mi_fit_spots", (const float*)spot, size_t(n) * unknowns);
  int near = 0;
  const auto got = zoo.download(spot, n);
  for (int i = 0; i < n; ++i)
    near += fabsf(got[i].x - planted[i].x) < 0.02f && fabsf(got[i].y - planted[i].y) < 0.02f &&
            fabsf(got[i].width - planted[i].width) < 0.03f;
  zoo.require("mi_fit_spots", near == n, "each spot is where it was planted");
}

static void jump_basins(Zoo& zoo) {
  const int width = 640, n = width * 500, rounds = 8;
  auto height = random_floats(n, 4);
  for (int i = 0; i < n; ++i)
    height[i] = 0.4f * height[i] + 4 * sinf(0.05f * (i % width)) * cosf(0.04f * (i / width));
  std::vector<int> down(n);
  for (int i = 0; i < n; ++i) {
    down[i] = i;
    const int x = i % width;
    for (int to : {x ? i - 1 : i, x < width - 1 ? i + 1 : i, i >= width ? i - width : i,
                   i + width < n ? i + width : i})
      if (height[to] < height[down[i]]) down[i] = to;
  }
  int *a = zoo.zeros<int>(n), *b = zoo.zeros<int>(n);
  const int* from = zoo.upload(down);
  for (int k = 0; k < rounds; ++k) {
    mi_jump_basins<<<(n / 4 + 255) / 256, 256>>>(from, a, n);
    from = a;
    std::swap(a, b);
  }
  const auto want = [&](size_t i) {
    int at = int(i);
    while (down[at] != at) at = down[at];
    return at;
  };
  zoo.expect_each("mi_jump_basins", from, n, 1, want, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("mi_stack_focus")) stack_focus(zoo);
  if (zoo.runs("mi_equalise_tiles")) equalise_tiles(zoo);
  if (zoo.runs("mi_fit_spots")) fit_spots(zoo);
  if (zoo.runs("mi_jump_basins")) jump_basins(zoo);
  return zoo.done();
}
