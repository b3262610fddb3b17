// Parts of a game's frame: culling, skinning, lights per tile, and cloth in small steps.
#include "zoo.cuh"

__constant__ float4 frustum[6];

// Appends the spheres that the camera sees to a ring of draws, one atomic addition per warp.
__global__ void gf_cull_spheres(const float4* spheres, int n, int* ring, int ring_mask, int* count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32;
  bool seen = i < n;
  if (seen) {
    const float4 s = spheres[i];
    for (int k = 0; k < 6 && seen; ++k) {
      const float4 plane = frustum[k];
      seen = plane.x * s.x + plane.y * s.y + plane.z * s.z + plane.w > -s.w;
    }
  }
  const unsigned mask = __ballot_sync(0xffffffffu, seen);
  int base = 0;
  if (lane == 0 && mask) base = atomicAdd(count, __popc(mask));
  base = __shfl_sync(0xffffffffu, base, 0);
  if (seen) ring[(base + __popc(mask & ((1u << lane) - 1))) & ring_mask] = i;
}

// Linear blend skinning: four bones per vertex, their matrices in shared memory.
__global__ void gf_skin_vertices(const float* rest, const uchar4* bone, const float4* weight,
                                 const float4* palette, int bones, float* skinned, int n) {
  extern __shared__ float4 row[];
  for (int k = threadIdx.x; k < 3 * bones; k += blockDim.x) row[k] = palette[k];
  __syncthreads();
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float x = rest[3 * i], y = rest[3 * i + 1], z = rest[3 * i + 2];
  const uchar4 b = bone[i];
  const float4 w = weight[i];
  const int of[4] = {b.x, b.y, b.z, b.w};
  const float by[4] = {w.x, w.y, w.z, w.w};
  float out[3] = {0, 0, 0};
#pragma unroll
  for (int k = 0; k < 4; ++k)
#pragma unroll
    for (int r = 0; r < 3; ++r) {
      const float4 m = row[3 * of[k] + r];
      out[r] += by[k] * (m.x * x + m.y * y + m.z * z + m.w);
    }
  skinned[3 * i] = out[0];
  skinned[3 * i + 1] = out[1];
  skinned[3 * i + 2] = out[2];
}

// A block per tile of 16 x 16 pixels: it lists the lights that reach the tile, then shades with them.
__global__ void gf_light_tiles(const float4* lights, int n, const float* albedo, float* colour, int width) {
  __shared__ int listed, list[256];
  const int t = threadIdx.y * 16 + threadIdx.x;
  const float left = blockIdx.x * 16.0f, top = blockIdx.y * 16.0f;
  if (t == 0) listed = 0;
  __syncthreads();
  for (int k = t; k < n; k += 256) {
    const float4 l = lights[k];
    const float dx = fmaxf(fmaxf(left - l.x, l.x - left - 16), 0);
    const float dy = fmaxf(fmaxf(top - l.y, l.y - top - 16), 0);
    if (dx * dx + dy * dy < l.z * l.z) {
      const int at = atomicAdd(&listed, 1);
      if (at < 256) list[at] = k;
    }
  }
  __syncthreads();
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y, all = min(listed, 256);
  float lit = 0.05f;
  for (int k = 0; k < all; ++k) {
    const float4 l = lights[list[k]];
    const float dx = x - l.x, dy = y - l.y, near = fmaxf(1 - (dx * dx + dy * dy) / (l.z * l.z), 0);
    lit += l.w * near * near;
  }
  colour[y * width + x] = albedo[y * width + x] * lit;
}

// One Verlet step of a cloth with springs to four neighbours; the top row hangs on nails.
__global__ void gf_cloth_chain(const float4* before, const float4* now, float4* after, int side) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  const float4 p = now[y * side + x], q = before[y * side + x];
  float fx = 0, fy = -0.002f, fz = 0;
  for (int k = 0; k < 4; ++k) {
    const int nx = x + (k == 0) - (k == 1), ny = y + (k == 2) - (k == 3);
    if (nx < 0 || ny < 0 || nx >= side || ny >= side) continue;
    const float4 o = now[ny * side + nx];
    const float dx = o.x - p.x, dy = o.y - p.y, dz = o.z - p.z;
    const float stretch = 0.2f * (1 - rsqrtf(dx * dx + dy * dy + dz * dz + 1e-6f));
    fx += stretch * dx;
    fy += stretch * dy;
    fz += stretch * dz;
  }
  const float moves = y > 0;
  after[y * side + x] =
      make_float4(p.x + moves * (0.99f * (p.x - q.x) + fx), p.y + moves * (0.99f * (p.y - q.y) + fy),
                  p.z + moves * (0.99f * (p.z - q.z) + fz), p.w);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("gf_cull_spheres")) {
    const int n = 60000;
    const float4 planes[6] = {{1, 0, 0.5f, 0},  {-1, 0, 0.5f, 0}, {0, 1, 0.4f, 0},
                              {0, -1, 0.4f, 0}, {0, 0, 1, -1},    {0, 0, -1, 90}};
    zoo.ok(cudaMemcpyToSymbol(frustum, planes, sizeof planes));
    auto spheres = random_floats(4 * n, 1, -100, 100);
    for (int i = 0; i < n; ++i) spheres[4 * i + 3] = 1 + i % 3;
    int* ring = zoo.zeros<int>(65536);
    gf_cull_spheres<<<(n + 255) / 256, 256>>>((const float4*)zoo.upload(spheres), n, ring, 65535,
                                              zoo.zeros<int>(1));
    zoo.show("gf_cull_spheres", ring, 65536);
  }
  if (zoo.runs("gf_skin_vertices")) {
    const int n = 24000, bones = 70;
    Random r{2};
    std::vector<uchar4> bone(n);
    std::vector<float4> weight(n);
    for (int i = 0; i < n; ++i) {
      const unsigned near = r.below(bones - 4);
      bone[i] = make_uchar4(near, near + r.below(4), near + r.below(4), near + 3);
      const float a = r.unit(), b = (1 - a) * r.unit();
      weight[i] = make_float4(a, b, (1 - a - b) * 0.5f, (1 - a - b) * 0.5f);
    }
    float* skinned = zoo.zeros<float>(3 * n);
    gf_skin_vertices<<<(n + 127) / 128, 128, 3 * bones * sizeof(float4)>>>(
        zoo.upload(random_floats(3 * n, 3)), zoo.upload(bone), zoo.upload(weight),
        (const float4*)zoo.upload(random_floats(12 * bones, 4)), bones, skinned, n);
    zoo.show("gf_skin_vertices", skinned, 3 * n);
  }
  if (zoo.runs("gf_light_tiles")) {
    const int width = 320, height = 208, n = 300;
    auto lights = random_floats(4 * n, 5, 0, width);
    for (int i = 0; i < n; ++i) {
      lights[4 * i + 1] *= float(height) / width;
      lights[4 * i + 2] = 10 + lights[4 * i + 2] * 0.08f;
      lights[4 * i + 3] = 0.5f + i % 4;
    }
    float* colour = zoo.zeros<float>(width * height);
    gf_light_tiles<<<dim3(width / 16, height / 16), dim3(16, 16)>>>(
        (const float4*)zoo.upload(lights), n, zoo.upload(random_floats(width * height, 6)), colour, width);
    zoo.show("gf_light_tiles", colour, width * height);
  }
  if (zoo.runs("gf_cloth_chain")) {
    const int side = 44, n = side * side;
    auto start = random_floats(4 * n, 7, 0, 0.1f);
    for (int i = 0; i < n; ++i) {
      start[4 * i] += i % side;
      start[4 * i + 1] -= i / side;
    }
    float4* p[5] = {(float4*)zoo.upload(start), (float4*)zoo.upload(start), zoo.zeros<float4>(n),
                    zoo.zeros<float4>(n), zoo.zeros<float4>(n)};
    const dim3 blocks((side + 15) / 16, (side + 7) / 8), threads(16, 8);
    int before = 0, now = 1, after = 2;
    for (int step = 0; step < 8; ++step) {
      gf_cloth_chain<<<blocks, threads>>>(p[before], p[now], p[after], side);
      before = now;
      now = after;
      after = after == 4 ? 2 : after + 1;
    }
    zoo.show("gf_cloth_chain", (const float*)p[now], 4 * n);
  }
  return zoo.done();
}
