// Copies to and from arrays and of boxes on the default stream, which their last parameter is if left out.
#include <cstdio>

int main() {
  const int width = 16, height = 4;
  float h[width * height], back[width * height] = {}, boxes[width * height] = {};
  for (int i = 0; i < width * height; ++i) h[i] = i;
  const size_t row = width * sizeof(float);
  const cudaChannelFormatDesc floats = cudaCreateChannelDesc<float>();
  cudaArray_t a;
  cudaMallocArray(&a, &floats, width, height);
  cudaMemcpy2DToArrayAsync(a, 0, 0, h, row, row, height, cudaMemcpyHostToDevice);
  cudaMemcpy2DFromArrayAsync(back, row, a, 0, 0, row, height, cudaMemcpyDeviceToHost);
  float* d;
  cudaMalloc(&d, sizeof h);
  cudaMemcpy(d, h, sizeof h, cudaMemcpyHostToDevice);
  cudaMemcpy3DParms box{};
  box.srcPtr = make_cudaPitchedPtr(d, row, width, height);
  box.dstPtr = make_cudaPitchedPtr(boxes, row, width, height);
  box.extent = make_cudaExtent(row, height, 1);
  box.kind = cudaMemcpyDeviceToHost;
  cudaMemcpy3DAsync(&box);
  cudaMemcpy3DAsync(&box, 0);
  cudaDeviceSynchronize();
  printf("%g %g %s\n", back[63], boxes[17], cudaGetErrorName(cudaGetLastError()));
  cudaFree(d);
  cudaFreeArray(a);
}
