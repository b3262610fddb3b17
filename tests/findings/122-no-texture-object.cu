// Textures, handle: the kernel gets the array's handle in place of the texture object's.
#include <cstdio>

__global__ void copy(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex1D<float>(image, threadIdx.x + 0.5f);  // expect: bad_texture
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
  copy<<<1, n>>>(cudaTextureObject_t(pixels), out);  // fix: copy<<<1, n>>>(image, out);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
  cudaFree(out);
  printf("done\n");
}
