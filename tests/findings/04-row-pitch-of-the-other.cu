// Bounds, global: the element is found with the height as row length; on a matrix that is not square it runs over the end.
#include <cstdio>
#include <vector>

__global__ void scale(float* m, int width, int height, float by) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) {
    m[x * width + y] *= by;  // expect: out_of_bounds // fix: m[y * width + x] *= by;
  }
}

int main() {
  const int width = 48, height = 20;
  std::vector<float> h(width * height, 2.0f);
  float* m;
  cudaMalloc(&m, h.size() * sizeof(float));
  cudaMemcpy(m, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice);
  dim3 block(16, 16), grid((width + 15) / 16, (height + 15) / 16);
  scale<<<grid, block>>>(m, width, height, 0.5f);
  cudaMemcpy(h.data(), m, h.size() * sizeof(float), cudaMemcpyDeviceToHost);
  printf("%g\n", h[0]);
  cudaFree(m);
}
