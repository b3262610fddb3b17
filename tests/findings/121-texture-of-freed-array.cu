// Textures, use after free: the array is freed while its texture is still sampled.
#include <cstdio>

__global__ void copy(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex1D<float>(image, threadIdx.x + 0.5f);  // expect: use_after_free
}

int main() {
  const int n = 32;
  float in[n], *out;
  for (int i = 0; i < n; ++i) in[i] = float(i);
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&pixels, &format, n);
  cudaMalloc(&out, sizeof in);
  cudaMemcpy2DToArray(pixels, 0, 0, in, sizeof in, sizeof in, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);
  cudaFreeArray(pixels);  // fix:
  copy<<<1, n>>>(image, out);
  cudaDeviceSynchronize();
  // fix: cudaFreeArray(pixels);
  cudaDestroyTextureObject(image);
  cudaFree(out);
  printf("done\n");
}
