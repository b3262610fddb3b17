// Dense matrices: products with a vector, a tiled product, batches of small ones.
#include "zoo.cuh"

__global__ void la_rows_by_warp(const float* a, const float* x, float* y, int rows, int columns) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (r >= rows) return;
  float sum = 0;
  for (int c = lane; c < columns; c += 32) sum += a[r * columns + c] * x[c];
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = sum;
}

// y = A^T x: a thread per column.
__global__ void la_columns_by_thread(const float* a, const float* x, float* y, int rows, int columns) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= columns) return;
  float sum = 0;
  for (int r = 0; r < rows; ++r) sum += a[r * columns + c] * x[r];
  y[c] = sum;
}

__global__ void la_matmul_tile(const float* a, const float* b, float* c, int n) {
  __shared__ float s[16][16], t[16][16];
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < n; k += 16) {
    s[threadIdx.y][threadIdx.x] = a[y * n + k + threadIdx.x];
    t[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + x];
    __syncthreads();
    for (int j = 0; j < 16; ++j) sum += s[threadIdx.y][j] * t[j][threadIdx.x];
    __syncthreads();
  }
  c[y * n + x] = sum;
}

// Products of 6 x 6 matrices, one per thread; the 36 values of a matrix are consecutive.
__global__ void la_batched_6x6(const double* a, const double* b, double* c, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double *p = a + 36 * i, *q = b + 36 * i;
  for (int r = 0; r < 6; ++r)
    for (int k = 0; k < 6; ++k) {
      double sum = 0;
      for (int j = 0; j < 6; ++j) sum += p[6 * r + j] * q[6 * j + k];
      c[36 * i + 6 * r + k] = sum;
    }
}

// Cholesky factors of 16 x 16 matrices, a warp per matrix in shared memory.
__global__ void la_cholesky_batch(const float* in, float* out) {
  __shared__ float all[4][16][17];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, m = blockIdx.x * 4 + warp;
  float(*a)[17] = all[warp];
  for (int k = lane; k < 256; k += 32) a[k / 16][k % 16] = in[m * 256 + k];
  __syncwarp();
  for (int k = 0; k < 16; ++k) {
    if (lane == 0) a[k][k] = sqrtf(a[k][k]);
    __syncwarp();
    const float d = a[k][k];
    if (lane > k && lane < 16) a[lane][k] /= d;
    __syncwarp();
    if (lane > k && lane < 16)
      for (int j = k + 1; j <= lane; ++j) a[lane][j] -= a[lane][k] * a[j][k];
    __syncwarp();
  }
  for (int k = lane; k < 256; k += 32) out[m * 256 + k] = k % 16 <= k / 16 ? a[k / 16][k % 16] : 0;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("la_rows_by_warp")) {
    const int rows = 1000, columns = 800;
    float* y = zoo.zeros<float>(rows);
    la_rows_by_warp<<<(rows + 3) / 4, 128>>>(zoo.upload(random_floats(rows * columns, 1)),
                                             zoo.upload(random_floats(columns, 2)), y, rows, columns);
    zoo.show("la_rows_by_warp", y, rows);
  }
  if (zoo.runs("la_columns_by_thread")) {
    const int rows = 300, columns = 2500;
    float* y = zoo.zeros<float>(columns);
    la_columns_by_thread<<<(columns + 127) / 128, 128>>>(
        zoo.upload(random_floats(rows * columns, 3)), zoo.upload(random_floats(rows, 4)), y, rows, columns);
    zoo.show("la_columns_by_thread", y, columns);
  }
  if (zoo.runs("la_matmul_tile")) {
    const int n = 512;
    float* c = zoo.zeros<float>(n * n);
    la_matmul_tile<<<dim3(32, 32), dim3(16, 16)>>>(zoo.upload(random_floats(n * n, 5)),
                                                   zoo.upload(random_floats(n * n, 6)), c, n);
    zoo.show("la_matmul_tile", c, n * n);
  }
  if (zoo.runs("la_batched_6x6")) {
    const int n = 6000;
    double* c = zoo.zeros<double>(36 * n);
    la_batched_6x6<<<(n + 63) / 64, 64>>>(zoo.upload(random_doubles(36 * n, 7)),
                                          zoo.upload(random_doubles(36 * n, 8)), c, n);
    zoo.show("la_batched_6x6", c, 36 * n);
  }
  if (zoo.runs("la_cholesky_batch")) {
    const int n = 600;
    auto a = random_floats(256 * n, 9);
    for (int m = 0; m < n; ++m)
      for (int r = 0; r < 16; ++r) a[256 * m + 17 * r] += 16;
    float* out = zoo.zeros<float>(256 * n);
    la_cholesky_batch<<<n / 4, 128>>>(zoo.upload(a), out);
    zoo.show("la_cholesky_batch", out, 256 * n);
  }
  return zoo.done();
}
