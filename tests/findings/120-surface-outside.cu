// Textures, surface: the last block writes a column behind the array's last.
#include <cstdio>

__global__ void fill(cudaSurfaceObject_t image, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  // fix: if (x >= w) return;
  surf2Dwrite(1.0f, image, x * int(sizeof(float)), 0);  // expect: out_of_bounds
}

int main() {
  const int w = 40, h = 2;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, w, h, cudaArraySurfaceLoadStore);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaSurfaceObject_t image;
  cudaCreateSurfaceObject(&image, &resource);
  fill<<<2, 32>>>(image, w);
  cudaDeviceSynchronize();
  cudaDestroySurfaceObject(image);
  cudaFreeArray(pixels);
  printf("done\n");
}
