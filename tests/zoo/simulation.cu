// Simulations: bodies, fractals, cells.
#include "zoo.cuh"

__global__ void nb_all_pairs(const float4* body, float3* force, int n) {
  __shared__ float4 tile[128];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 me = body[i];
  float3 f = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += 128) {
    tile[threadIdx.x] = body[base + threadIdx.x];
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < 128; ++k) {
      const float dx = tile[k].x - me.x, dy = tile[k].y - me.y, dz = tile[k].z - me.z;
      const float r2 = dx * dx + dy * dy + dz * dz + 0.01f, inverse = rsqrtf(r2);
      const float s = tile[k].w * inverse * inverse * inverse;
      f.x += dx * s;
      f.y += dy * s;
      f.z += dz * s;
    }
    __syncthreads();
  }
  force[i] = f;
}

// Lennard-Jones forces over neighbour lists.
__global__ void nb_neighbour_list(const float4* place, const int* neighbour, const int* count, int most,
                                  float cutoff, float4* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 me = place[i];
  float4 f = make_float4(0, 0, 0, 0);
  const int c = count[i];
  for (int k = 0; k < c && k < most; ++k) {
    const float4 other = place[neighbour[k * n + i]];
    const float dx = me.x - other.x, dy = me.y - other.y, dz = me.z - other.z,
                r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
    if (r2 < cutoff) {
      const float inverse = 1.0f / r2, r6 = inverse * inverse * inverse, s = r6 * (r6 - 0.5f) * inverse;
      f.x += dx * s;
      f.y += dy * s;
      f.z += dz * s;
      f.w += r6;
    }
  }
  force[i] = f;
}

__global__ void fr_mandelbrot(int width, int height, int most, unsigned short* image) {
  const int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= width || py >= height) return;
  const float cx = -2.2f + 3.0f * px / width, cy = -1.2f + 2.4f * py / height;
  float x = 0, y = 0;
  int n = 0;
  while (n < most && x * x + y * y < 4) {
    const float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++n;
  }
  image[py * width + px] = (unsigned short)n;
}

__global__ void fr_julia_double(int width, double cx, double cy, int* image) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double x = -1.5 + 3.0 * (i % width) / width, y = -1.0 + 2.0 * (i / width) / 96;
  int n = 0;
  for (; n < 60; ++n) {
    const double xx = x * x, yy = y * y;
    if (xx + yy > 4) break;
    y = 2 * x * y + cy;
    x = xx - yy + cx;
  }
  image[i] = n;
}

__global__ void gl_life(const unsigned char* now, unsigned char* then, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  int alive = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) alive += now[(y + dy + height) % height * width + (x + dx + width) % width];
  const int i = y * width + x;
  then[i] = alive == 3 || (alive == 2 && now[i]);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("nb_all_pairs")) {
    const int n = 4096;
    std::vector<float4> body(n);
    Random r{1};
    for (float4& b : body) b = make_float4(r.unit(), r.unit(), r.unit(), 1.0f / n);
    float3* force = zoo.zeros<float3>(n);
    nb_all_pairs<<<n / 128, 128>>>(zoo.upload(body), force, n);
    const auto f = zoo.download((const float*)force, 3 * n);
    double sum = 0;
    for (float x : f) sum += fabs(double(x));
    printf("nb_all_pairs %.6g\n", sum);
  }
  if (zoo.runs("nb_neighbour_list")) {
    const int n = 20000, most = 48;
    std::vector<float4> place(n);
    std::vector<int> neighbour(n * most), count(n);
    Random r{2};
    for (float4& p : place) p = make_float4(8 * r.unit(), 8 * r.unit(), 8 * r.unit(), 0);
    for (int i = 0; i < n; ++i) {
      count[i] = 24 + int(r.below(24));
      for (int k = 0; k < most; ++k) neighbour[k * n + i] = (i + 1 + int(r.below(500))) % n;
    }
    float4* force = zoo.zeros<float4>(n);
    nb_neighbour_list<<<(n + 127) / 128, 128>>>(zoo.upload(place), zoo.upload(neighbour), zoo.upload(count),
                                                most, 9.0f, force, n);
    const auto f = zoo.download((const float*)force, 4 * n);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += f[4 * i + 3];
    printf("nb_neighbour_list %.6g\n", sum);
  }
  if (zoo.runs("fr_mandelbrot")) {
    const int w = 640, h = 400;
    unsigned short* image = zoo.zeros<unsigned short>(w * h);
    fr_mandelbrot<<<dim3(40, 50), dim3(16, 8)>>>(w, h, 256, image);
    zoo.show("fr_mandelbrot", image, w * h);
  }
  if (zoo.runs("fr_julia_double")) {
    int* image = zoo.zeros<int>(128 * 96);
    fr_julia_double<<<96, 128>>>(128, -0.4, 0.6, image);
    zoo.show("fr_julia_double", image, 128 * 96);
  }
  if (zoo.runs("gl_life")) {
    const int w = 400, h = 300;
    std::vector<unsigned char> now(w * h);
    Random r{3};
    for (auto& c : now) c = r.below(3) == 0;
    unsigned char* then = zoo.zeros<unsigned char>(w * h);
    gl_life<<<dim3(13, 38), dim3(32, 8)>>>(zoo.upload(now), then, w, h);
    zoo.show("gl_life", then, w * h);
  }
  return zoo.done();
}
