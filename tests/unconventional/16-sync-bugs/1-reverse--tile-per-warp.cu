// unconventional: sync-bugs/1-reverse
// A tile per warp, eight floats per lane; __syncwarp() twice.
__global__ void k(const float* __restrict__ in, float* __restrict__ out, int n) {
  __shared__ float s[8][256];
  float* mine = s[threadIdx.y];
  const int lane = threadIdx.x, tiles = (n + 255) / 256;
  for (int tile = blockIdx.x * 8 + threadIdx.y; tile < tiles; tile += gridDim.x * 8) {
    const int start = tile * 256, length = min(256, n - start);
    for (int j = lane; j < length; j += 32) mine[j] = in[start + j];
    __syncwarp();
    for (int j = lane; j < length; j += 32) out[start + j] = mine[length - 1 - j];
    __syncwarp();
  }
}
void reverse(const float* in, float* out, int n) { if (n) k<<<64, dim3(32, 8)>>>(in, out, n); }
