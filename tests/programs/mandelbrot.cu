// A picture in characters: 2D grid, unsigned char image, row by row output.
#include <cstdio>
#include <cstdlib>

__global__ void mandel(unsigned char* image, int w, int h) {
  int px = blockIdx.x * blockDim.x + threadIdx.x, py = blockIdx.y * blockDim.y + threadIdx.y;
  if (px >= w || py >= h) return;
  float cx = -2.0f + 0.046875f * px, cy = -1.0f + 0.125f * py, x = 0, y = 0;
  int i = 0;
  while (i < 50 && x * x + y * y < 4.0f) {
    float t = x * x - y * y + cx;
    y = 2 * x * y + cy;
    x = t;
    ++i;
  }
  image[py * w + px] = i;
}

int main() {
  const int w = 64, h = 17;
  unsigned char *d, *image = (unsigned char*)malloc(w * h);
  cudaMalloc(&d, w * h);
  dim3 block(16, 8), grid((w + 15) / 16, (h + 7) / 8);
  mandel<<<grid, block>>>(d, w, h);
  cudaMemcpy(image, d, w * h, cudaMemcpyDeviceToHost);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) putchar(image[y * w + x] >= 50 ? '#' : image[y * w + x] > 8 ? '+' : '.');
    putchar('\n');
  }
  free(image);
  cudaFree(d);
}
