// Textures, type: texels are bytes, and the kernel reads them as floats: bits of one type as another's.
#include <cstdio>

__global__ void copy(cudaTextureObject_t image, float* out) {
  out[threadIdx.x] = tex1D<float>(image, threadIdx.x + 0.5f);  // expect: bad_texture
}

int main() {
  const int n = 32;
  unsigned char in[n];
  float* out;
  for (int i = 0; i < n; ++i) in[i] = (unsigned char)i;
  cudaArray_t pixels;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<unsigned char>();
  cudaMallocArray(&pixels, &format, n);
  cudaMalloc(&out, n * sizeof(float));
  cudaMemcpy2DToArray(pixels, 0, 0, in, sizeof in, sizeof in, 1, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = pixels;
  cudaTextureDesc sampler = {};
  // fix: sampler.readMode = cudaReadModeNormalizedFloat;
  cudaTextureObject_t image;
  cudaCreateTextureObject(&image, &resource, &sampler, nullptr);
  copy<<<1, n>>>(image, out);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(image);
  cudaFreeArray(pixels);
  cudaFree(out);
  printf("done\n");
}
