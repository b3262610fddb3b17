// Kernels read and write memory of malloc and of a vector that cudaHostRegister has mapped.
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void scale(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 2 * in[i];
}

int main() {
  const int n = 1000;
  float* in = (float*)malloc(n * sizeof(float));
  std::vector<float> out(n, 1.0f);
  for (int i = 0; i < n; ++i) in[i] = float(i);
  cudaHostRegister(in, n * sizeof(float), cudaHostRegisterMapped);
  cudaHostRegister(out.data(), n * sizeof(float), cudaHostRegisterMapped | cudaHostRegisterPortable);
  float *mapped_in = nullptr, *mapped_out = nullptr;
  cudaError_t e = cudaHostGetDevicePointer((void**)&mapped_in, in, 0);
  printf("%s\n", cudaGetErrorName(e));
  e = cudaHostGetDevicePointer((void**)&mapped_out, out.data(), 0);
  printf("%s\n", cudaGetErrorName(e));
  scale<<<(n + 255) / 256, 256>>>(mapped_in, mapped_out, n);
  cudaDeviceSynchronize();
  printf("%g %g %g\n", out[0], out[1], out[n - 1]);
  for (int i = 0; i < n; ++i) in[i] = 1;
  scale<<<(n + 255) / 256, 256>>>(mapped_in, mapped_out, n);
  cudaDeviceSynchronize();
  printf("%g %g\n", out[0], out[n - 1]);
  cudaHostUnregister(in);
  cudaHostUnregister(out.data());
  e = cudaHostGetDevicePointer((void**)&mapped_in, in, 0);
  printf("%s\n", cudaGetErrorName(e));
  free(in);
  return 0;
}
