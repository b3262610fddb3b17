// Pitched memory, 2D copies, a padded transpose.
#include <cstdio>

#define TILE 32
__global__ void transpose(const float* in, size_t inPitch, float* out, size_t outPitch, int w, int h) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (x < w && y < h) tile[threadIdx.y][threadIdx.x] = ((const float*)((const char*)in + y * inPitch))[x];
  __syncthreads();
  int tx = blockIdx.y * TILE + threadIdx.x, ty = blockIdx.x * TILE + threadIdx.y;
  if (tx < h && ty < w) ((float*)((char*)out + ty * outPitch))[tx] = tile[threadIdx.x][threadIdx.y];
}

int main() {
  const int w = 45, h = 38;
  static float a[h][w], b[w][h];
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) a[y][x] = y * 100 + x;
  float *in, *out;
  size_t ip, op;
  cudaMallocPitch((void**)&in, &ip, w * sizeof(float), h);
  cudaMallocPitch((void**)&out, &op, h * sizeof(float), w);
  cudaMemcpy2D(in, ip, a, w * sizeof(float), w * sizeof(float), h, cudaMemcpyHostToDevice);
  transpose<<<dim3(2, 2), dim3(TILE, TILE)>>>(in, ip, out, op, w, h);
  cudaMemcpy2D(b, h * sizeof(float), out, op, h * sizeof(float), w, cudaMemcpyDeviceToHost);
  int wrong = 0;
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) wrong += b[x][y] != a[y][x];
  printf("wrong %d, pitch %s\n", wrong, ip >= w * sizeof(float) && ip % 4 == 0 ? "ok" : "odd");
  cudaFree(in);
  cudaFree(out);
}
