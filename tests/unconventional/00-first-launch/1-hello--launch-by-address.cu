// unconventional: first-launch/1-hello
#include <cstdio>

__global__ void hello_kernel(const char* text) { printf(text, blockIdx.x + 0u, threadIdx.x + 0u); }

__constant__ char text[] = "Hello from block %u, thread %u\n";

template <class... Arguments>
void launch(dim3 grid, dim3 block, void (*kernel)(Arguments...), Arguments... given) {
  void* arguments[] = {&given...};
  cudaLaunchKernel(reinterpret_cast<const void*>(kernel), grid, block, arguments, 0, nullptr);
}

void hello() {
  void* address;
  cudaGetSymbolAddress(&address, text);
  launch(1, 1, hello_kernel, static_cast<const char*>(address));
  cudaDeviceSynchronize();
}
