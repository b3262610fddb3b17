// Linear systems: one with three diagonals, small dense ones, a relaxation in two colours, and conjugate
// gradients in one launch.
#include <cooperative_groups.h>

#include "zoo.cuh"

// Parallel cyclic reduction: after step k a row depends on rows 2^k away; a block per system of 512 rows.
__global__ void sv_reduce_diagonals(const float* lower, const float* middle, const float* upper,
                                    const float* right, float* x) {
  __shared__ float a[512], b[512], c[512], d[512];
  const int t = threadIdx.x, at = blockIdx.x * 512 + t;
  a[t] = lower[at];
  b[t] = middle[at];
  c[t] = upper[at];
  d[t] = right[at];
  __syncthreads();
  for (int s = 1; s < 512; s *= 2) {
    const bool up = t - s >= 0, down = t + s < 512;
    const float p = up ? a[t] / b[t - s] : 0, q = down ? c[t] / b[t + s] : 0;
    const float new_a = up ? -p * a[t - s] : 0, new_c = down ? -q * c[t + s] : 0;
    const float new_b = b[t] - (up ? p * c[t - s] : 0) - (down ? q * a[t + s] : 0);
    const float new_d = d[t] - (up ? p * d[t - s] : 0) - (down ? q * d[t + s] : 0);
    __syncthreads();
    a[t] = new_a;
    b[t] = new_b;
    c[t] = new_c;
    d[t] = new_d;
    __syncthreads();
  }
  x[at] = d[t] / b[t];
}

// LU with row exchanges of a 48 x 48 matrix per block, beside it the right side.
__global__ void sv_pivoted_lu(const float* matrix, const float* right, float* x) {
  const int N = 48;
  __shared__ float m[N][N + 1];
  __shared__ int pivot;
  const int t = threadIdx.x;
  for (int i = t; i < N * N; i += 128) m[i / N][i % N] = matrix[blockIdx.x * N * N + i];
  if (t < N) m[t][N] = right[blockIdx.x * N + t];
  __syncthreads();
  for (int k = 0; k < N; ++k) {
    if (t < 32) {
      float high = -1;
      int row = k;
      for (int i = k + t; i < N; i += 32)
        if (fabsf(m[i][k]) > high) high = fabsf(m[i][k]), row = i;
      for (int d = 16; d; d /= 2) {
        const float h = __shfl_xor_sync(0xffffffffu, high, d);
        const int r = __shfl_xor_sync(0xffffffffu, row, d);
        if (h > high || (h == high && r < row)) high = h, row = r;
      }
      if (t == 0) pivot = row;
    }
    __syncthreads();
    if (pivot != k && t >= k && t <= N) {
      const float v = m[k][t];
      m[k][t] = m[pivot][t];
      m[pivot][t] = v;
    }
    __syncthreads();
    const float inverse = 1 / m[k][k];
    for (int i = k + 1 + t / 16; i < N; i += 8) {
      const float factor = m[i][k] * inverse;
      for (int j = k + 1 + t % 16; j <= N; j += 16) m[i][j] -= factor * m[k][j];
    }
    __syncthreads();
  }
  for (int k = N - 1; k >= 0; --k) {
    if (t == 0) m[k][N] /= m[k][k];
    __syncthreads();
    if (t < k) m[t][N] -= m[t][k] * m[k][N];
    __syncthreads();
  }
  if (t < N) x[blockIdx.x * N + t] = m[t][N];
}

__host__ __device__ float relaxed(const float* u, float source, int i, int width) {
  const float mean = 0.25f * (u[i - 1] + u[i + 1] + u[i - width] + u[i + width] - source);
  return u[i] + 1.6f * (mean - u[i]);
}

// Half a step of overrelaxation: points of one colour move, those of the other are copied.
__global__ void sv_relax_colour(const float* u, const float* source, int colour, float* next, int width,
                                int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int i = y * width + x;
  const bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
  next[i] = inside && (x + y) % 2 == colour ? relaxed(u, source[i], i, width) : u[i];
}

__device__ float grid_sum(float mine, float* partial, cooperative_groups::grid_group& grid) {
  __shared__ float warp_sum[8];
  const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  for (int d = 16; d; d /= 2) mine += __shfl_xor_sync(0xffffffffu, mine, d);
  if (lane == 0) warp_sum[warp] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    float sum = 0;
    for (int w = 0; w < 8; ++w) sum += warp_sum[w];
    partial[blockIdx.x] = sum;
  }
  grid.sync();
  float sum = 0;
  for (int b = lane; b < int(gridDim.x); b += 32) sum += partial[b];
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  return sum;
}

// Conjugate gradients for (5 - shifts to the four neighbours), a point per thread, `rounds` rounds.
__global__ void sv_conjugate_gradients(const float* right, float* x, float* direction, float* partial,
                                       int side, int rounds) {
  auto grid = cooperative_groups::this_grid();
  const int i = blockIdx.x * blockDim.x + threadIdx.x, column = i % side, row = i / side;
  float mine = 0, residual = right[i], p = residual;
  direction[i] = p;
  float square = grid_sum(residual * residual, partial, grid);
  for (int k = 0; k < rounds; ++k) {
    float ap = 5 * p;
    if (column > 0) ap -= direction[i - 1];
    if (column < side - 1) ap -= direction[i + 1];
    if (row > 0) ap -= direction[i - side];
    if (row < side - 1) ap -= direction[i + side];
    const float alpha = square / grid_sum(p * ap, partial + gridDim.x, grid);
    mine += alpha * p;
    residual -= alpha * ap;
    const float next = grid_sum(residual * residual, partial, grid);
    p = residual + next / square * p;
    square = next;
    direction[i] = p;
    grid.sync();
  }
  x[i] = mine;
}

static void conjugate_gradients(Zoo& zoo) {
  const int side = 128, n = side * side, blocks = n / 256;
  int rounds = 12, size = side;
  const auto solution = random_floats(n, 9, 1, 2);
  std::vector<float> b(n);
  for (int i = 0; i < n; ++i) {
    b[i] = 5 * solution[i];
    if (i % side > 0) b[i] -= solution[i - 1];
    if (i % side < side - 1) b[i] -= solution[i + 1];
    if (i >= side) b[i] -= solution[i - side];
    if (i + side < n) b[i] -= solution[i + side];
  }
  float *right = zoo.upload(b), *x = zoo.zeros<float>(n), *p = zoo.zeros<float>(n),
        *partial = zoo.zeros<float>(2 * blocks);
  void* arguments[] = {&right, &x, &p, &partial, &size, &rounds};
  zoo.ok(cudaLaunchCooperativeKernel((const void*)sv_conjugate_gradients, dim3(blocks), dim3(256), arguments,
                                     0, nullptr));
  zoo.expect_each(
      "sv_conjugate_gradients", x, n, 5, [&](size_t i) { return solution[i]; }, 5e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sv_reduce_diagonals")) {
    const int systems = 1, n = systems * 512;
    auto lower = random_floats(n, 1, -1, 1), upper = random_floats(n, 2, -1, 1);
    const auto middle = random_floats(n, 3, 3, 4), solution = random_floats(n, 4);
    std::vector<float> right(n);
    for (int i = 0; i < n; ++i) {
      if (i % 512 == 0) lower[i] = 0;
      if (i % 512 == 511) upper[i] = 0;
      right[i] = middle[i] * solution[i] + (lower[i] != 0 ? lower[i] * solution[i - 1] : 0) +
                 (upper[i] != 0 ? upper[i] * solution[i + 1] : 0);
    }
    float* x = zoo.zeros<float>(n);
    sv_reduce_diagonals<<<systems, 512>>>(zoo.upload(lower), zoo.upload(middle), zoo.upload(upper),
                                          zoo.upload(right), x);
    zoo.expect_each(
        "sv_reduce_diagonals", x, n, 1, [&](size_t i) { return solution[i]; }, 1e-4);
  }
  if (zoo.runs("sv_pivoted_lu")) {
    const int systems = 100, N = 48;
    const auto matrix = random_floats(systems * N * N, 5, -1, 1), solution = random_floats(systems * N, 6);
    std::vector<float> right(systems * N);
    for (int i = 0; i < systems * N; ++i) {
      double sum = 0;
      for (int k = 0; k < N; ++k) sum += double(matrix[i * N + k]) * solution[i / N * N + k];
      right[i] = float(sum);
    }
    float* x = zoo.zeros<float>(systems * N);
    sv_pivoted_lu<<<systems, 128>>>(zoo.upload(matrix), zoo.upload(right), x);
    zoo.expect_each(
        "sv_pivoted_lu", x, systems * N, 1, [&](size_t i) { return solution[i]; }, 2e-2);
  }
  if (zoo.runs("sv_relax_colour")) {
    const int width = 1500, height = 900, n = width * height;
    const auto start = random_floats(n, 7), source = random_floats(n, 8, 0, 0.1f);
    float *a = zoo.upload(start), *s = zoo.upload(source), *b = zoo.zeros<float>(n), *c = zoo.zeros<float>(n);
    const dim3 blocks((width + 31) / 32, (height + 7) / 8), block(32, 8);
    sv_relax_colour<<<blocks, block>>>(a, s, 0, b, width, height);
    sv_relax_colour<<<blocks, block>>>(b, s, 1, c, width, height);
    const auto half = [&](int i) {
      const int x = i % width, y = i / width;
      const bool inside = x > 0 && y > 0 && x < width - 1 && y < height - 1;
      return inside && (x + y) % 2 == 0 ? relaxed(start.data(), source[i], i, width) : start[i];
    };
    const auto want = [&](size_t k) {
      const int i = int(k), x = i % width, y = i / width;
      if ((x + y) % 2 == 0 || x == 0 || y == 0 || x == width - 1 || y == height - 1) return half(i);
      const float mean = 0.25f * (half(i - 1) + half(i + 1) + half(i - width) + half(i + width) - source[i]);
      return half(i) + 1.6f * (mean - half(i));
    };
    zoo.expect_each("sv_relax_colour", c, n, 613, want, 1e-5);
  }
  if (zoo.runs("sv_conjugate_gradients")) conjugate_gradients(zoo);
  return zoo.done();
}
