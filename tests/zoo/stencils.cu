// Stencils on grids of one, two and three dimensions, and a convolution.
#include "zoo.cuh"

__global__ void st_heat_plain(const float* u, float* v, int width, int height, float k) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || y == 0 || x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  v[i] = u[i] + k * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - 4 * u[i]);
}

__global__ void st_heat_tiled(const float* u, float* v, int width, int height, float k) {
  __shared__ float s[18][34];
  const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const bool inside = x < width && y < height;
  if (inside) {
    s[ty][tx] = u[y * width + x];
    if (tx == 1) s[ty][0] = x > 0 ? u[y * width + x - 1] : 0;
    if (tx == 32 || x == width - 1) s[ty][tx + 1] = x < width - 1 ? u[y * width + x + 1] : 0;
    if (ty == 1) s[0][tx] = y > 0 ? u[(y - 1) * width + x] : 0;
    if (ty == 16 || y == height - 1) s[ty + 1][tx] = y < height - 1 ? u[(y + 1) * width + x] : 0;
  }
  __syncthreads();
  if (inside)
    v[y * width + x] =
        s[ty][tx] + k * (s[ty][tx - 1] + s[ty][tx + 1] + s[ty - 1][tx] + s[ty + 1][tx] - 4 * s[ty][tx]);
}

__global__ void st_laplace_3d(const float* u, float* v, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= n - 1 || y >= n - 1 || z >= n - 1) return;
  const int i = (z * n + y) * n + x;
  v[i] = u[i - 1] + u[i + 1] + u[i - n] + u[i + n] + u[i - n * n] + u[i + n * n] - 6 * u[i];
}

__global__ void st_seventeen_taps(const float* in, float* out, int n) {
  __shared__ float s[256 + 16];
  const int i = blockIdx.x * 256 + threadIdx.x;
  s[threadIdx.x + 8] = i < n ? in[i] : 0;
  if (threadIdx.x < 8) {
    s[threadIdx.x] = i >= 8 ? in[i - 8] : 0;
    s[threadIdx.x + 264] = i + 256 < n ? in[i + 256] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < 17; ++k) sum += s[threadIdx.x + k];
  if (i < n) out[i] = sum / 17;
}

__constant__ float weights[49];
__global__ void st_convolve_7x7(const float* in, float* out, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float sum = 0;
  for (int dy = 0; dy < 7; ++dy) {
    const int cy = min(max(y + dy - 3, 0), height - 1);
    for (int dx = 0; dx < 7; ++dx) {
      const int cx = min(max(x + dx - 3, 0), width - 1);
      sum += weights[dy * 7 + dx] * in[cy * width + cx];
    }
  }
  out[y * width + x] = sum;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("st_heat_plain")) {
    const int w = 700, h = 500;
    float* v = zoo.zeros<float>(w * h);
    st_heat_plain<<<dim3((w + 15) / 16, (h + 15) / 16), dim3(16, 16)>>>(zoo.upload(random_floats(w * h, 1)),
                                                                        v, w, h, 0.1f);
    zoo.show("st_heat_plain", v, w * h);
  }
  if (zoo.runs("st_heat_tiled")) {
    const int w = 600, h = 450;
    float* v = zoo.zeros<float>(w * h);
    st_heat_tiled<<<dim3((w + 31) / 32, (h + 15) / 16), dim3(32, 16)>>>(zoo.upload(random_floats(w * h, 2)),
                                                                        v, w, h, 0.1f);
    zoo.show("st_heat_tiled", v, w * h);
  }
  if (zoo.runs("st_laplace_3d")) {
    const int n = 66;
    float* v = zoo.zeros<float>(n * n * n);
    st_laplace_3d<<<dim3(3, 17, 17), dim3(32, 4, 4)>>>(zoo.upload(random_floats(n * n * n, 3)), v, n);
    zoo.show("st_laplace_3d", v, n * n * n);
  }
  if (zoo.runs("st_seventeen_taps")) {
    const int n = 250000;
    float* out = zoo.zeros<float>(n);
    st_seventeen_taps<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 4)), out, n);
    zoo.show("st_seventeen_taps", out, n);
  }
  if (zoo.runs("st_convolve_7x7")) {
    const int w = 320, h = 240;
    const auto table = random_floats(49, 5);
    float* out = zoo.zeros<float>(w * h);
    cudaMemcpyToSymbol(weights, table.data(), 49 * sizeof(float));
    st_convolve_7x7<<<dim3(w / 32, h / 8), dim3(32, 8)>>>(zoo.upload(random_floats(w * h, 6)), out, w, h);
    zoo.show("st_convolve_7x7", out, w * h);
  }
  return zoo.done();
}
