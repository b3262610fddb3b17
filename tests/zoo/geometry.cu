// Geometry: connected areas, nearest points in a tree, triangles on a depth buffer, and points in a polygon.
#include "zoo.cuh"

__device__ int root_of(const volatile int* parent, int i) {
  while (parent[i] != i) i = parent[i];
  return i;
}

__device__ void join(volatile int* parent, int a, int b) {
  for (;;) {
    a = root_of(parent, a);
    b = root_of(parent, b);
    if (a == b) return;
    if (a < b) {
      const int swap = a;
      a = b;
      b = swap;
    }
    const int old = atomicMin((int*)&parent[a], b);
    if (old == a) return;
    a = old;
  }
}

// Union and find within tiles of 32 x 32 pixels: each area gets the smallest index of its pixels.
__global__ void ge_label_tiles(const unsigned char* pixel, short* label, int width) {
  __shared__ int parent[1024];
  __shared__ unsigned char set[1024];
  const int x = threadIdx.x, corner = blockIdx.y * 32 * width + blockIdx.x * 32;
  for (int y = threadIdx.y; y < 32; y += 8) {
    parent[32 * y + x] = 32 * y + x;
    set[32 * y + x] = pixel[corner + y * width + x];
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int i = 32 * y + x;
    if (!set[i]) continue;
    if (x > 0 && set[i - 1]) join(parent, i, i - 1);
    if (y > 0 && set[i - 32]) join(parent, i, i - 32);
  }
  __syncthreads();
  for (int y = threadIdx.y; y < 32; y += 8) {
    const int i = 32 * y + x;
    label[corner + y * width + x] = short(set[i] ? root_of(parent, i) : -1);
  }
}

// A k-d tree without pointers: a range's root is its middle, the axis follows from the depth.
__global__ void ge_nearest_points(const float4* tree, int points, const float4* query, int* nearest, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 q = query[i];
  short low[16], high[16];
  float gap[16];
  unsigned char axis[16];
  int top = 1, best = -1;
  float best2 = 1e9f;
  low[0] = 0, high[0] = short(points), gap[0] = 0, axis[0] = 0;
  while (top) {
    --top;
    if (gap[top] >= best2) continue;
    int from = low[top], to = high[top], a = axis[top];
    while (from < to) {
      const int middle = (from + to) / 2;
      const float4 p = tree[middle];
      const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z, d2 = dx * dx + dy * dy + dz * dz;
      if (d2 < best2) best2 = d2, best = middle;
      const float side = a == 0 ? dx : a == 1 ? dy : dz;
      a = a == 2 ? 0 : a + 1;
      low[top] = short(side < 0 ? middle + 1 : from);
      high[top] = short(side < 0 ? to : middle);
      gap[top] = side * side;
      axis[top] = (unsigned char)a;
      ++top;
      if (side < 0)
        to = middle;
      else
        from = middle + 1;
    }
  }
  nearest[i] = best;
}

struct Triangle {
  int x[3], y[3];
  float z[3];
};

struct Cover {
  bool inside;
  float depth;
};

__host__ __device__ Cover cover(const Triangle& t, int x, int y) {
  int w[3], area = 0;
  bool inside = true;
  float depth = 0;
  for (int k = 0; k < 3; ++k) {
    const int p = (k + 1) % 3, q = (k + 2) % 3;
    w[k] = (t.x[q] - t.x[p]) * (y - t.y[p]) - (t.y[q] - t.y[p]) * (x - t.x[p]);
    inside = inside && w[k] >= 0;
    area += w[k];
    depth += w[k] * t.z[k];
  }
  return {inside && area > 0, depth / area};
}

// A thread per triangle visits the pixels of its rectangle; the nearest triangle stays.
__global__ void ge_draw_triangles(const Triangle* triangle, unsigned long long* buffer, int width, int height,
                                  int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const Triangle t = triangle[i];
  const int x0 = max(0, min(t.x[0], min(t.x[1], t.x[2]))), y0 = max(0, min(t.y[0], min(t.y[1], t.y[2])));
  const int x1 = min(width - 1, max(t.x[0], max(t.x[1], t.x[2])));
  const int y1 = min(height - 1, max(t.y[0], max(t.y[1], t.y[2])));
  for (int y = y0; y <= y1; ++y)
    for (int x = x0; x <= x1; ++x) {
      const Cover c = cover(t, x, y);
      if (c.inside)
        atomicMin(&buffer[y * width + x], (unsigned long long)__float_as_uint(c.depth) << 32 | unsigned(i));
    }
}

__constant__ float2 corner[160];

// How often a polygon turns round a point: edges that cross the ray to its right count.
__global__ void ge_turns_round(const float2* point, int corners, int* turns, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 p = point[i];
  int count = 0;
  float2 a = corner[corners - 1];
  for (int k = 0; k < corners; ++k) {
    const float2 b = corner[k];
    const float side = (b.x - a.x) * (p.y - a.y) - (p.x - a.x) * (b.y - a.y);
    if (a.y <= p.y)
      count += b.y > p.y && side > 0;
    else
      count -= b.y <= p.y && side < 0;
    a = b;
  }
  turns[i] = count;
}

static void label_tiles(Zoo& zoo) {
  const int width = 800, height = 608, n = width * height;
  std::vector<unsigned char> pixel(n);
  Random r{1};
  for (int i = 0; i < n; ++i) pixel[i] = r.below(100) < 60;
  short* label = zoo.zeros<short>(n);
  ge_label_tiles<<<dim3(width / 32, height / 32), dim3(32, 8)>>>(zoo.upload(pixel), label, width);
  zoo.show("ge_label_tiles", label, n);
  // A flood of each area from its first pixel.
  const auto got = zoo.download(label, n);
  int wrong = 0;
  for (int tile = 0; tile < width / 32 * (height / 32); tile += 79) {
    const int start = tile / (width / 32) * 32 * width + tile % (width / 32) * 32;
    std::vector<int> want(1024, -1), left;
    for (int seed = 0; seed < 1024; ++seed) {
      if (pixel[start + seed / 32 * width + seed % 32] && want[seed] < 0) left.push_back(seed);
      while (!left.empty()) {
        const int i = left.back(), x = i % 32, y = i / 32;
        left.pop_back();
        if (want[i] >= 0 || !pixel[start + y * width + x]) continue;
        want[i] = seed;
        if (x > 0) left.push_back(i - 1);
        if (x < 31) left.push_back(i + 1);
        if (y > 0) left.push_back(i - 32);
        if (y < 31) left.push_back(i + 32);
      }
    }
    for (int i = 0; i < 1024; ++i) wrong += got[start + i / 32 * width + i % 32] != want[i];
  }
  zoo.require("ge_label_tiles", wrong == 0, "each pixel has the first index of its area");
}

static float coordinate(const float4& p, int axis) { return axis == 0 ? p.x : axis == 1 ? p.y : p.z; }

// Puts the range's middle by the axis into its middle (Hoare's selection), then does so for both halves.
static void plant(std::vector<float4>& p, int from, int to, int axis) {
  const int middle = (from + to) / 2;
  int low = from, high = to - 1;
  while (low < high) {
    const float pivot = coordinate(p[middle], axis);
    int i = low, j = high;
    while (i <= j) {
      while (coordinate(p[i], axis) < pivot) ++i;
      while (coordinate(p[j], axis) > pivot) --j;
      if (i <= j) {
        const float4 swap = p[i];
        p[i++] = p[j];
        p[j--] = swap;
      }
    }
    if (j < middle) low = i;
    if (middle < i) high = j;
  }
  if (to - from < 2) return;
  plant(p, from, middle, (axis + 1) % 3);
  plant(p, middle + 1, to, (axis + 1) % 3);
}

static void nearest_points(Zoo& zoo) {
  const int points = 6000, n = 9000;
  std::vector<float4> tree(points), query(n);
  Random r{2};
  for (float4& p : tree) p = make_float4(r.unit(), r.unit(), r.unit(), 0);
  for (float4& p : query) p = make_float4(r.unit(), r.unit(), r.unit(), 0);
  plant(tree, 0, points, 0);
  int* nearest = zoo.zeros<int>(n);
  ge_nearest_points<<<(n + 63) / 64, 64>>>(zoo.upload(tree), points, zoo.upload(query), nearest, n);
  const auto want = [&](size_t i) {
    int best = 0;
    float best2 = 1e9f;
    for (int k = 0; k < points; ++k) {
      const float dx = query[i].x - tree[k].x, dy = query[i].y - tree[k].y, dz = query[i].z - tree[k].z;
      const float d2 = dx * dx + dy * dy + dz * dz;
      if (d2 < best2) best2 = d2, best = k;
    }
    return double(best);
  };
  zoo.expect_each("ge_nearest_points", nearest, n, 179, want, 1e-12);
}

static void draw_triangles(Zoo& zoo) {
  const int width = 512, height = 384, pixels = width * height, n = 14000;
  std::vector<Triangle> triangle(n);
  Random r{3};
  for (Triangle& t : triangle) {
    const int x = int(r.below(width)), y = int(r.below(height)), size = 3 + int(r.below(10));
    for (int k = 0; k < 3; ++k) {
      t.x[k] = x + int(r.below(size));
      t.y[k] = y + int(r.below(size));
      t.z[k] = 1 + r.unit();
    }
  }
  auto* buffer = zoo.zeros<unsigned long long>(pixels);
  zoo.ok(cudaMemset(buffer, 0xff, pixels * sizeof(unsigned long long)));
  ge_draw_triangles<<<(n + 127) / 128, 128>>>(zoo.upload(triangle), buffer, width, height, n);
  std::vector<float> depth(pixels);
  const auto got = zoo.download(buffer, pixels);
  for (int i = 0; i < pixels; ++i) {
    const unsigned bits = unsigned(got[i] >> 32);
    memcpy(&depth[i], &bits, sizeof bits);
    if (bits == 0xffffffffu) depth[i] = 3;
  }
  std::vector<float> want(pixels, 3);
  for (const Triangle& t : triangle)
    for (int y = t.y[0] - 12; y <= t.y[0] + 12; ++y)
      for (int x = t.x[0] - 12; x <= t.x[0] + 12; ++x) {
        if (x < 0 || y < 0 || x >= width || y >= height) continue;
        const Cover c = cover(t, x, y);
        if (c.inside) want[y * width + x] = fminf(want[y * width + x], c.depth);
      }
  zoo.expect_each(
      "ge_draw_triangles", zoo.upload(depth), pixels, 1, [&](size_t i) { return want[i]; }, 1e-4);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ge_label_tiles")) label_tiles(zoo);
  if (zoo.runs("ge_nearest_points")) nearest_points(zoo);
  if (zoo.runs("ge_draw_triangles")) draw_triangles(zoo);
  if (zoo.runs("ge_turns_round")) {
    const int corners = 160, n = 36000;
    std::vector<float2> star(corners);
    for (int k = 0; k < corners; ++k) {
      const float angle = 2 * 6.2831853f * k / corners, radius = k % 2 ? 1.0f : 0.6f;
      star[k] = make_float2(radius * cosf(angle), radius * sinf(angle));
    }
    zoo.ok(cudaMemcpyToSymbol(corner, star.data(), corners * sizeof(float2)));
    const auto at = random_floats(2 * n, 4, -1.2f, 1.2f);
    int* turns = zoo.zeros<int>(n);
    ge_turns_round<<<(n + 255) / 256, 256>>>((const float2*)zoo.upload(at), corners, turns, n);
    zoo.show("ge_turns_round", turns, n);
    // The star goes round twice: inside its notches each point has two turns, outside its tips none.
    const auto got = zoo.download(turns, n);
    int wrong = 0;
    for (int i = 0; i < n; ++i) {
      const float r = hypotf(at[2 * i], at[2 * i + 1]);
      wrong += (r < 0.55f && got[i] != 2) || (r > 1.001f && got[i] != 0) || got[i] < 0 || got[i] > 2;
    }
    zoo.require("ge_turns_round", wrong == 0, "two turns inside, none outside");
  }
  return zoo.done();
}
