// Conway's game on a torus: two buffers swapped on the host, a glider after some generations.
#include <cstdio>
#include <cstring>
#include <utility>

__global__ void step(const char* now, char* next, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy) n += now[(y + dy + h) % h * w + (x + dx + w) % w];
  next[y * w + x] = n == 3 || (n == 2 && now[y * w + x]);
}

int main() {
  const int w = 12, h = 8;
  char grid[h * w];
  memset(grid, 0, sizeof grid);
  const int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
  for (auto& g : glider) grid[g[1] * w + g[0]] = 1;
  char *a, *b;
  cudaMalloc(&a, sizeof grid);
  cudaMalloc(&b, sizeof grid);
  cudaMemcpy(a, grid, sizeof grid, cudaMemcpyHostToDevice);
  for (int i = 0; i < 16; ++i) {
    step<<<dim3(2, 1), dim3(8, 8)>>>(a, b, w, h);
    std::swap(a, b);
  }
  cudaMemcpy(grid, a, sizeof grid, cudaMemcpyDeviceToHost);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) printf("%c", grid[y * w + x] ? 'o' : '.');
    printf("\n");
  }
  cudaFree(a);
  cudaFree(b);
}
