// Textures, surface: x of a surface is given in columns, but a surface takes bytes.
#include <cstdio>

__global__ void fill(cudaSurfaceObject_t image, int w, int h) {
  const int x = threadIdx.x, y = threadIdx.y;
  if (x < w && y < h)
    surf2Dwrite(1.0f, image, x, y);  // expect: misaligned // fix: surf2Dwrite(1.0f, image, x * int(sizeof(float)), y);
}

int main() {
  const int w = 8, h = 4;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaSurfaceObject_t image;
  cudaCreateSurfaceObject(&image, &resource);
  fill<<<1, dim3(w, h)>>>(image, w, h);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(image);
  cudaFreeArray(pixels);
  printf("done\n");
}
