// lazy: textures/1-constant
// expect: gate max(4 * ptx(ld.const), ptx(ld.param), 4 * shared_loads) >= 8.5 * warps
// Nine lanes load the weights from global memory, and shuffles hand them round.
__device__ float filter[9];

__global__ void blur_kernel(const float* in, float* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  const float mine = threadIdx.x < 9 ? filter[threadIdx.x] : 0.0f;
  float sum = 0;
  for (int k = 0; k < 9; ++k) {
    const float weight = __shfl_sync(~0u, mine, k);
    const int px = min(max(x + k % 3 - 1, 0), w - 1), py = min(max(y + k / 3 - 1, 0), h - 1);
    sum += weight * __ldg(&in[py * w + px]);
  }
  if (x < w && y < h) out[y * w + x] = sum;
}

void blur(const float* in, const float* weights, float* out, int w, int h) {
  if (w == 0 || h == 0) return;
  cudaMemcpyToSymbol(filter, weights, sizeof filter);
  const dim3 block(32, 8), grid((w + 31) / 32, (h + 7) / 8);
  blur_kernel<<<grid, block>>>(in, out, w, h);
}
