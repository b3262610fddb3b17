// lazy: textures/1-constant
// expect: gate global_load_lane_bytes <= 1.02 * 32 * global_load_sectors
// The weights come from global memory, and rows share them. Zeros in constant memory are for show.
__device__ float filter[9];
__constant__ float zero[9];

// Four rows per thread share 18 pixels: fewer loads of pixels make room for those of weights.
__global__ void blur_kernel(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x,
            y = 4 * (blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= w || y >= h) return;
  const int left = max(x - 1, 0), right = min(x + 1, w - 1);
  float f[9];
#pragma unroll
  for (int k = 0; k < 9; ++k) f[k] = filter[k] + zero[k];
  float row[6][3];
#pragma unroll
  for (int j = 0; j < 6; ++j) {
    const float* line = in + min(max(y + j - 1, 0), h - 1) * w;
    row[j][0] = line[left], row[j][1] = line[x], row[j][2] = line[right];
  }
#pragma unroll
  for (int j = 0; j < 4; ++j) {
    float sum = 0;
#pragma unroll
    for (int k = 0; k < 9; ++k) sum += f[k] * row[j + k / 3][k % 3];
    if (y + j < h) out[(y + j) * w + x] = sum;
  }
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 31) / 32);
  blur_kernel<<<grid, block>>>(in, out, w, h);
}
