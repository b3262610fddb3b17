// Textures, description: a linear filter of integers that stay integers. The call fails.
#include <cstdio>

int main() {
  const int n = 32;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&pixels, &format, n);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  sampler.filterMode = cudaFilterModeLinear;
  // fix: sampler.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t image = 0;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);  // expect: host_error
  if (image) cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
  printf("done\n");
}
