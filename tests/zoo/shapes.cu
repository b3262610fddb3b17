// Grids and blocks of unusual shapes, and few warps per SM.
#include "zoo.cuh"

__global__ void sh_grid_3d(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y,
            z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x >= nx || y >= ny || z >= nz) return;
  const int i = (z * ny + y) * nx + x;
  out[i] = in[i] * (x + 2 * y + 3 * z) / float(nx + ny + nz);
}

// Nine of ten blocks return at once.
__global__ void sh_early_exit(const int* active, const float* in, float* out) {
  if (!active[blockIdx.x]) return;
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = in[i];
  for (int k = 0; k < 60; ++k) v = v * 0.99f + sqrtf(v + k);
  out[i] = v;
}

// Work grows with the block's index; the grid has a few more blocks than the GPU has SMs.
__global__ void sh_uneven_tail(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int rounds = 20 + blockIdx.x * 2;
  float v = in[i];
  for (int k = 0; k < rounds; ++k) v = fmaf(v, 0.75f, 1.0f / (v + 1.5f));
  out[i] = v;
}

// Shared memory limits an SM to two resident blocks.
__global__ void sh_few_by_shared(const float* in, float* out, int per_block) {
  extern __shared__ float room[];
  for (int k = threadIdx.x; k < per_block; k += blockDim.x) room[k] = in[blockIdx.x * per_block + k];
  __syncthreads();
  float sum = 0;
  for (int k = threadIdx.x; k < per_block; k += blockDim.x) sum += room[k] * room[per_block - 1 - k];
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Many live values per thread: high register pressure.
__global__ void sh_few_by_registers(const float* in, float* out, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  float v[96];
#pragma unroll
  for (int k = 0; k < 96; ++k) v[k] = in[i] + k;
  for (int r = 0; r < rounds; ++r) {
    const float x = in[r * n + i];
#pragma unroll
    for (int k = 0; k < 96; ++k) v[k] = fmaf(v[k], x, v[(k + 7) % 96]);
  }
  float sum = 0;
#pragma unroll
  for (int k = 0; k < 96; ++k) sum += v[k];
  out[i] = sum;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sh_grid_3d")) {
    const int nx = 70, ny = 50, nz = 40, n = nx * ny * nz;
    float* out = zoo.zeros<float>(n);
    sh_grid_3d<<<dim3(9, 13, 10), dim3(8, 4, 4)>>>(zoo.upload(random_floats(n, 1)), out, nx, ny, nz);
    zoo.show("sh_grid_3d", out, n);
  }
  if (zoo.runs("sh_early_exit")) {
    const int blocks = 2000;
    std::vector<int> active(blocks);
    Random r{2};
    for (int& a : active) a = r.below(10) == 0;
    float* out = zoo.zeros<float>(blocks * 64);
    sh_early_exit<<<blocks, 64>>>(zoo.upload(active), zoo.upload(random_floats(blocks * 64, 3)), out);
    zoo.show("sh_early_exit", out, blocks * 64);
  }
  if (zoo.runs("sh_uneven_tail")) {
    const int blocks = 150;
    float* out = zoo.zeros<float>(blocks * 512);
    sh_uneven_tail<<<blocks, 512>>>(zoo.upload(random_floats(blocks * 512, 4)), out);
    zoo.show("sh_uneven_tail", out, blocks * 512);
  }
  if (zoo.runs("sh_few_by_shared")) {
    const int blocks = 200, each = 20000, bytes = each * int(sizeof(float));
    float* out = zoo.zeros<float>(blocks * 128);
    zoo.ok(cudaFuncSetAttribute(sh_few_by_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    sh_few_by_shared<<<blocks, 128, bytes>>>(zoo.upload(random_floats(blocks * each, 5)), out, each);
    zoo.show("sh_few_by_shared", out, blocks * 128);
  }
  if (zoo.runs("sh_few_by_registers")) {
    const int n = 200 * 128, rounds = 16;
    float* out = zoo.zeros<float>(n);
    sh_few_by_registers<<<200, 128>>>(zoo.upload(random_floats(n * rounds, 6, 0, 0.2f)), out, rounds);
    zoo.show("sh_few_by_registers", out, n);
  }
  return zoo.done();
}
