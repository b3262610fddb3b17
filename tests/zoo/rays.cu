// A small renderer: rays against a distance field and a tree of boxes, paths of light, and a filter of noise.
#include "zoo.cuh"

__host__ __device__ float scene_distance(float x, float y, float z) {
  const float ring = sqrtf(x * x + z * z) - 1.2f, torus = sqrtf(ring * ring + y * y) - 0.35f;
  const float cx = x - 1.1f, cy = y - 0.5f, cz = z + 0.4f, ball = sqrtf(cx * cx + cy * cy + cz * cz) - 0.5f;
  const float bump = 0.04f * sinf(7 * x) * sinf(6 * z), ground = y + 0.6f + bump;
  return fminf(fminf(torus, ball), 0.8f * ground);
}

__host__ __device__ float3 view_ray(int x, int y, int width, int height) {
  const float u = (x + 0.5f - 0.5f * width) / height, v = (0.5f * height - y - 0.5f) / height - 0.2f;
  const float s = 1 / sqrtf(u * u + v * v + 1);
  return make_float3(u * s, v * s, s);
}

// Sphere tracing: steps by the distance to the nearest surface until it is met or out of sight.
__global__ void ra_march_field(float* depth, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const float3 d = view_ray(x, y, width, height);
  float t = 0;
  for (int step = 0; step < 64; ++step) {
    const float away = scene_distance(t * d.x, 0.8f + t * d.y, -4 + t * d.z);
    if (away < 1e-3f * t) break;
    t += away;
    if (t > 12) break;
  }
  depth[y * width + x] = fminf(t, 12.0f);
}

struct Box {
  float low[3], high[3];
};

__host__ __device__ float triangle_hit(const float* v, float ox, float oy, float oz, float3 d) {
  const float ax = v[3] - v[0], ay = v[4] - v[1], az = v[5] - v[2];
  const float bx = v[6] - v[0], by = v[7] - v[1], bz = v[8] - v[2];
  const float px = d.y * bz - d.z * by, py = d.z * bx - d.x * bz, pz = d.x * by - d.y * bx;
  const float det = ax * px + ay * py + az * pz;
  if (fabsf(det) < 1e-9f) return 1e9f;
  const float inverse = 1 / det, sx = ox - v[0], sy = oy - v[1], sz = oz - v[2];
  const float u = (sx * px + sy * py + sz * pz) * inverse;
  const float qx = sy * az - sz * ay, qy = sz * ax - sx * az, qz = sx * ay - sy * ax;
  const float w = (d.x * qx + d.y * qy + d.z * qz) * inverse, t = (bx * qx + by * qy + bz * qz) * inverse;
  return u < -1e-5f || w < -1e-5f || u + w > 1.00001f || t <= 0 ? 1e9f : t;
}

__host__ __device__ float3 down_ray(int i, int width) {
  const float u = (i % width + 0.5f) / width - 0.5f, v = (i / width + 0.5f) / width - 0.5f;
  const float s = 1 / sqrtf(u * u + v * v + 1);
  return make_float3(u * s, -s, v * s);
}

// A heap of boxes: node k has the children 2k + 1 and 2k + 2; a leaf has two triangles.
__global__ void ra_walk_boxes(const Box* box, const float* triangle, int leaves, float* hit, int width,
                              int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float3 d = down_ray(i, width);
  const float rx = 1 / d.x, ry = 1 / d.y, rz = 1 / d.z;
  int stack[24], top = 0;
  float best = 1e9f;
  stack[top++] = 0;
  while (top) {
    const int k = stack[--top];
    const Box b = box[k];
    const float x0 = (b.low[0] - 0.5f) * rx, x1 = (b.high[0] - 0.5f) * rx;
    const float y0 = (b.low[1] - 0.95f) * ry, y1 = (b.high[1] - 0.95f) * ry;
    const float z0 = (b.low[2] - 0.5f) * rz, z1 = (b.high[2] - 0.5f) * rz;
    const float in = fmaxf(fmaxf(fminf(x0, x1), fminf(y0, y1)), fminf(z0, z1));
    const float out = fminf(fminf(fmaxf(x0, x1), fmaxf(y0, y1)), fmaxf(z0, z1));
    if (in > out || out < 0 || in > best) continue;
    if (k >= leaves - 1) {
      const float* v = triangle + 18 * (k - leaves + 1);
      best = fminf(best,
                   fminf(triangle_hit(v, 0.5f, 0.95f, 0.5f, d), triangle_hit(v + 9, 0.5f, 0.95f, 0.5f, d)));
    } else {
      stack[top++] = 2 * k + 1;
      stack[top++] = 2 * k + 2;
    }
  }
  hit[i] = best;
}

__constant__ float4 ball[12];

__device__ float uniform(unsigned& s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return (s >> 8) * (1 / 16777216.0f);
}

// Paths of light between diffuse balls under a white sky.
__global__ void ra_trace_paths(float albedo, int paths, float* light, int width, int height) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= width * height) return;
  unsigned seed = i * 747796405u + 2891336453u;
  float sum = 0;
  for (int p = 0; p < paths; ++p) {
    float3 d = view_ray(i % width, i / width, width, height), o = make_float3(0, 0.5f, -5);
    float through = 1;
    for (int bounce = 0; bounce < 5; ++bounce) {
      float best = 1e9f;
      int which = -1;
      for (int k = 0; k < 12; ++k) {
        const float4 s = ball[k];
        const float x = s.x - o.x, y = s.y - o.y, z = s.z - o.z, b = x * d.x + y * d.y + z * d.z;
        const float disc = b * b - (x * x + y * y + z * z) + s.w * s.w;
        if (disc <= 0) continue;
        const float t = b - sqrtf(disc);
        if (t > 1e-3f && t < best) best = t, which = k;
      }
      if (which < 0) break;
      through *= albedo;
      const float4 s = ball[which];
      o = make_float3(o.x + best * d.x, o.y + best * d.y, o.z + best * d.z);
      const float nx = (o.x - s.x) / s.w, ny = (o.y - s.y) / s.w, nz = (o.z - s.z) / s.w;
      const float c = 2 * uniform(seed) - 1, r = sqrtf(1 - c * c);
      float sine, cosine;
      __sincosf(6.2831853f * uniform(seed), &sine, &cosine);
      const float x = nx + r * cosine, y = ny + r * sine, z = nz + c;
      const float scale = rsqrtf(x * x + y * y + z * z + 1e-12f);
      d = make_float3(x * scale, y * scale, z * scale);
    }
    sum += through;
  }
  light[i] = sum / paths;
}

// A wavelet with holes: 5 x 5 taps, `step` pixels apart, which stop at edges of colour and of surfaces.
__host__ __device__ float smooth(const float4* pixel, int x, int y, int step, int width, int height) {
  const float taps[3] = {0.375f, 0.25f, 0.0625f};
  const float4 here = pixel[y * width + x];
  float sum = 0, weights = 0;
  for (int v = -2; v <= 2; ++v)
    for (int u = -2; u <= 2; ++u) {
      const int px = x + u * step, py = y + v * step;
      if (px < 0 || py < 0 || px >= width || py >= height) continue;
      const float4 p = pixel[py * width + px];
      const float c = p.x - here.x, nx = p.y - here.y, ny = p.z - here.z, nz = p.w - here.w;
      const float w = taps[u < 0 ? -u : u] * taps[v < 0 ? -v : v] *
                      expf(-2 * c * c - 0.5f * (nx * nx + ny * ny + nz * nz));
      sum += w * p.x;
      weights += w;
    }
  return sum / weights;
}

__global__ void ra_smooth_noise(const float4* pixel, float* out, int step, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) out[y * width + x] = smooth(pixel, x, y, step, width, height);
}

static void walk_boxes(Zoo& zoo) {
  const int side = 32, leaves = side * side, width = 200, n = width * width;
  std::vector<float> triangle(18 * leaves);
  std::vector<Box> box(2 * leaves - 1);
  const auto height = random_floats((side + 1) * (side + 1), 1, 0, 0.03f);
  for (int leaf = 0; leaf < leaves; ++leaf) {
    int cx = 0, cy = 0;
    for (int bit = 0; bit < 5; ++bit) {
      cx |= (leaf >> (2 * bit) & 1) << bit;
      cy |= (leaf >> (2 * bit + 1) & 1) << bit;
    }
    const int corner[6] = {0, 1, 2, 3, 2, 1};
    Box b = {{1e9f, 1e9f, 1e9f}, {-1e9f, -1e9f, -1e9f}};
    for (int c = 0; c < 6; ++c) {
      const int x = cx + corner[c] % 2, y = cy + corner[c] / 2;
      const float at[3] = {float(x) / side, height[y * (side + 1) + x], float(y) / side};
      for (int k = 0; k < 3; ++k) {
        triangle[18 * leaf + 3 * c + k] = at[k];
        b.low[k] = fminf(b.low[k], at[k] - 1e-5f);
        b.high[k] = fmaxf(b.high[k], at[k] + 1e-5f);
      }
    }
    box[leaves - 1 + leaf] = b;
  }
  for (int k = leaves - 2; k >= 0; --k)
    for (int a = 0; a < 3; ++a) {
      box[k].low[a] = fminf(box[2 * k + 1].low[a], box[2 * k + 2].low[a]);
      box[k].high[a] = fmaxf(box[2 * k + 1].high[a], box[2 * k + 2].high[a]);
    }
  float* hit = zoo.zeros<float>(n);
  ra_walk_boxes<<<(n + 127) / 128, 128>>>(zoo.upload(box), zoo.upload(triangle), leaves, hit, width, n);
  const auto want = [&](size_t i) {
    float best = 1e9f;
    for (int t = 0; t < 2 * leaves; ++t)
      best = fminf(best, triangle_hit(&triangle[9 * t], 0.5f, 0.95f, 0.5f, down_ray(int(i), width)));
    return best;
  };
  zoo.expect_each("ra_walk_boxes", hit, n, 1999, want, 1e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ra_march_field")) {
    const int width = 300, height = 180, n = width * height;
    float* depth = zoo.zeros<float>(n);
    ra_march_field<<<dim3((width + 15) / 16, (height + 7) / 8), dim3(16, 8)>>>(depth, width, height);
    zoo.show("ra_march_field", depth, n);
    const auto got = zoo.download(depth, n);
    int met = 0, off = 0, none = 0;
    for (int i = 0; i < n; i += 11) {
      const float3 d = view_ray(i % width, i / width, width, height);
      const float t = got[i], away = scene_distance(t * d.x, 0.8f + t * d.y, -4 + t * d.z);
      met += t < 12;
      off += t < 12 && fabsf(away) > 0.03f;
      none += t < 0.5f;
    }
    zoo.require("ra_march_field", met > n / 11 / 3 && off * 50 < met && none == 0, "rays end at surfaces");
  }
  if (zoo.runs("ra_walk_boxes")) walk_boxes(zoo);
  if (zoo.runs("ra_trace_paths")) {
    const int width = 150, height = 90, n = width * height;
    const float albedo = 0.8f;
    auto balls = random_floats(48, 2, -1.5f, 1.5f);
    for (int k = 0; k < 12; ++k) balls[4 * k + 3] = 0.45f + 0.03f * k;
    zoo.ok(cudaMemcpyToSymbol(ball, balls.data(), sizeof(ball)));
    float* light = zoo.zeros<float>(n);
    ra_trace_paths<<<(n + 127) / 128, 128>>>(albedo, 4, light, width, height);
    zoo.show("ra_trace_paths", light, n);
    int sky = 0, dark = 0, wrong = 0;
    for (float v : zoo.download(light, n)) {
      sky += v == 1;
      dark += v <= 0.8001f;
      wrong += !(v >= 0.3276f && v <= 1) || (v > 0.8001f && v < 1);
    }
    zoo.require("ra_trace_paths", !wrong && sky > n / 10 && dark > n / 10, "a path loses a fifth per bounce");
  }
  if (zoo.runs("ra_smooth_noise")) {
    const int width = 250, height = 190, n = width * height;
    const auto data = random_floats(4 * n, 3);
    float* out = zoo.zeros<float>(n);
    ra_smooth_noise<<<dim3((width + 31) / 32, (height + 7) / 8), dim3(32, 8)>>>(
        (const float4*)zoo.upload(data), out, 4, width, height);
    const auto want = [&](size_t i) {
      return smooth((const float4*)data.data(), int(i % width), int(i / width), 4, width, height);
    };
    zoo.expect_each("ra_smooth_noise", out, n, 331, want, 1e-3);
  }
  return zoo.done();
}
