// Numerical mathematics: small factorisations, a product with asynchronous copies, orbits, and a coarser
// grid.
#include <cuda_pipeline.h>

#include "zoo.cuh"

// Householder's factorisation of one small matrix of doubles per thread; keeps the diagonal of R. The order
// is known at run time only, so the matrix lies in local memory.
__global__ void nu_householder_qr(const double* matrix, double* diagonal, int order, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, entries = order * order;
  if (i >= n) return;
  double a[64];
  for (int k = 0; k < entries; ++k) a[k] = matrix[(size_t)entries * i + k];
  for (int c = 0; c < order; ++c) {
    double norm = 0;
    for (int r = c; r < order; ++r) norm += a[r * order + c] * a[r * order + c];
    norm = a[c * order + c] > 0 ? -sqrt(norm) : sqrt(norm);
    const double head = a[c * order + c] - norm, scale = norm * head;
    a[c * order + c] = head;
    for (int k = c + 1; k < order; ++k) {
      double dot = 0;
      for (int r = c; r < order; ++r) dot += a[r * order + c] * a[r * order + k];
      dot /= scale;
      for (int r = c; r < order; ++r) a[r * order + k] += dot * a[r * order + c];
    }
    diagonal[c * n + i] = fabs(norm);
  }
}

// C = A B in tiles of 64 x 64, 4 x 4 entries per thread; the next tiles arrive while the last are multiplied.
__global__ void nu_async_matmul(const float* a, const float* b, float* c, int columns, int inner) {
  __shared__ __align__(16) float left[2][64][20], right[2][16][64];
  const int t = threadIdx.x, row = 64 * blockIdx.y, column = 64 * blockIdx.x;
  const float* from_a = a + (size_t)(row + t / 4) * inner + t % 4 * 4;
  const float* from_b = b + (size_t)(t / 16) * columns + column + t % 16 * 4;
  float sum[4][4] = {};
  const int rounds = inner / 16;
  for (int r = -1; r < rounds; ++r) {
    const int next = r + 1;
    if (next < rounds) {
      __pipeline_memcpy_async(&left[next % 2][t / 4][t % 4 * 4], from_a + 16 * next, 16);
      __pipeline_memcpy_async(&right[next % 2][t / 16][t % 16 * 4], from_b + (size_t)16 * next * columns, 16);
    }
    __pipeline_commit();
    if (r < 0) continue;
    __pipeline_wait_prior(1);
    __syncthreads();
    for (int k = 0; k < 16; ++k) {
      float x[4], y[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        x[j] = left[r % 2][t / 16 * 4 + j][k];
        y[j] = right[r % 2][k][t % 16 * 4 + j];
      }
#pragma unroll
      for (int j = 0; j < 16; ++j) sum[j / 4][j % 4] += x[j / 4] * y[j % 4];
    }
    __syncthreads();
  }
  for (int j = 0; j < 4; ++j)
    *(float4*)&c[(size_t)(row + t / 16 * 4 + j) * columns + column + t % 16 * 4] =
        make_float4(sum[j][0], sum[j][1], sum[j][2], sum[j][3]);
}

__device__ void forces(const double* s, double* rate) {
  for (int body = 0; body < 3; ++body) {
    rate[4 * body] = s[4 * body + 2];
    rate[4 * body + 1] = s[4 * body + 3];
    rate[4 * body + 2] = rate[4 * body + 3] = 0;
  }
  for (int p = 0; p < 3; ++p) {
    const int q = (p + 1) % 3;
    const double dx = s[4 * q] - s[4 * p], dy = s[4 * q + 1] - s[4 * p + 1], d = dx * dx + dy * dy + 0.01;
    const double pull = 1 / (d * sqrt(d));
    rate[4 * p + 2] += pull * dx;
    rate[4 * p + 3] += pull * dy;
    rate[4 * q + 2] -= pull * dx;
    rate[4 * q + 3] -= pull * dy;
  }
}

// Three bodies in a plane by Runge and Kutta's fourth order; a thread per start.
__global__ void nu_three_bodies(const double* start, double* end, double dt, int steps, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double s[12], k1[12], k2[12], k3[12], k4[12], at[12];
#pragma unroll
  for (int k = 0; k < 12; ++k) s[k] = start[k * n + i];
  for (int step = 0; step < steps; ++step) {
    forces(s, k1);
#pragma unroll
    for (int k = 0; k < 12; ++k) at[k] = s[k] + 0.5 * dt * k1[k];
    forces(at, k2);
#pragma unroll
    for (int k = 0; k < 12; ++k) at[k] = s[k] + 0.5 * dt * k2[k];
    forces(at, k3);
#pragma unroll
    for (int k = 0; k < 12; ++k) at[k] = s[k] + dt * k3[k];
    forces(at, k4);
#pragma unroll
    for (int k = 0; k < 12; ++k) s[k] += dt / 6 * (k1[k] + 2 * k2[k] + 2 * k3[k] + k4[k]);
  }
#pragma unroll
  for (int k = 0; k < 12; ++k) end[k * n + i] = s[k];
}

// A volume on a grid of half the resolution: the weighted mean of 27 points, periodic.
__global__ void nu_restrict_volume(const float* fine, float* coarse, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  float sum = 0;
  for (int dz = -1; dz <= 1; ++dz)
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx) {
        const int fx = (2 * x + dx + 2 * nx) % (2 * nx), fy = (2 * y + dy + 2 * ny) % (2 * ny),
                  fz = (2 * z + dz + 2 * nz) % (2 * nz);
        sum += fine[(fz * 2 * ny + fy) * 2 * nx + fx] * ((2 - abs(dx)) * (2 - abs(dy)) * (2 - abs(dz)));
      }
  coarse[(z * ny + y) * nx + x] = sum / 64;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("nu_householder_qr")) {
    const int order = 5, n = 2500;
    double* diagonal = zoo.zeros<double>(order * n);
    nu_householder_qr<<<(n + 63) / 64, 64>>>(zoo.upload(random_doubles(order * order * n, 1, -1, 1)),
                                             diagonal, order, n);
    zoo.show("nu_householder_qr", diagonal, order * n);
  }
  if (zoo.runs("nu_async_matmul")) {
    const int rows = 320, columns = 384, inner = 160;
    const auto a = random_floats(rows * inner, 2), b = random_floats(inner * columns, 3);
    double want = 0;
    for (int k = 0; k < inner; ++k) {
      double of_a = 0, of_b = 0;
      for (int r = 0; r < rows; ++r) of_a += a[r * inner + k];
      for (int c = 0; c < columns; ++c) of_b += b[k * columns + c];
      want += of_a * of_b;
    }
    float* c = zoo.zeros<float>(rows * columns);
    nu_async_matmul<<<dim3(columns / 64, rows / 64), 256>>>(zoo.upload(a), zoo.upload(b), c, columns, inner);
    zoo.expect("nu_async_matmul", c, rows * columns, want);
  }
  if (zoo.runs("nu_three_bodies")) {
    const int n = 1500;
    double* end = zoo.zeros<double>(12 * n);
    nu_three_bodies<<<(n + 63) / 64, 64>>>(zoo.upload(random_doubles(12 * n, 4, -1, 1)), end, 0.002, 8, n);
    zoo.show("nu_three_bodies", end, 12 * n);
  }
  if (zoo.runs("nu_restrict_volume")) {
    const int nx = 36, ny = 30, nz = 28, n = nx * ny * nz;
    const auto fine = random_floats(8 * n, 5);
    double want = 0;
    for (float f : fine) want += f / 8.0;
    float* coarse = zoo.zeros<float>(n);
    nu_restrict_volume<<<dim3((nx + 7) / 8, (ny + 3) / 4, (nz + 3) / 4), dim3(8, 4, 4)>>>(zoo.upload(fine),
                                                                                          coarse, nx, ny, nz);
    zoo.expect("nu_restrict_volume", coarse, n, want);
  }
  return zoo.done();
}
