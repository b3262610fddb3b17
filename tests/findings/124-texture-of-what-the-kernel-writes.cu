// Textures, coherence: a kernel writes memory and then samples it. Textures need not see their own launch's writes.
#include <cstdio>

__global__ void shift(cudaTextureObject_t old, float* data, float* out) {
  const int i = threadIdx.x;
  data[i] = 2 * data[i];  // fix:
  __syncthreads();
  out[i] = tex1Dfetch<float>(old, i);  // expect: race
}

int main() {
  const int n = 64;
  float in[n], *data, *out;
  for (int i = 0; i < n; ++i) in[i] = float(i);
  cudaMalloc(&data, sizeof in);
  cudaMalloc(&out, sizeof in);
  cudaMemcpy(data, in, sizeof in, cudaMemcpyHostToDevice);
  cudaResourceDesc resource = {};
  resource.resType = cudaResourceTypeLinear;
  resource.res.linear.devPtr = data;
  resource.res.linear.desc = cudaCreateChannelDesc<float>();
  resource.res.linear.sizeInBytes = sizeof in;
  cudaTextureDesc sampler = {};
  cudaTextureObject_t old;
  cudaCreateTextureObject(&old, &resource, &sampler, nullptr);
  shift<<<1, n>>>(old, data, out);
  cudaDeviceSynchronize();
  cudaDestroyTextureObject(old);
  cudaFree(data);
  cudaFree(out);
  printf("done\n");
}
