// What the device query sample asks for.
#include <cstdio>

int main() {
  int count = 0;
  cudaGetDeviceCount(&count);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, 0);
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  printf("devices %d, warp %d, threads per block %d\n", count, prop.warpSize, prop.maxThreadsPerBlock);
  printf("compute capability %d.%d, %d SMs\n", prop.major, prop.minor, sms);
  printf("constant memory %zu, grid x %d\n", prop.totalConstMem, prop.maxGridSize[0]);
  return prop.multiProcessorCount == sms ? 0 : 1;
}
