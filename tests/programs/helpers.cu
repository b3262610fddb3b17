// What NVIDIA's samples take from their helper headers: arguments, a stopwatch, pictures, comparisons.
#include <cuda_runtime.h>
#include <helper_cuda.h>
#include <helper_functions.h>

__global__ void invert(unsigned char* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = 255 - p[i];
}

int main(int argc, char** argv) {
  findCudaDevice(argc, (const char**)argv);
  if (!checkCudaCapabilities(7, 0)) return EXIT_WAIVED;
  const char* words[] = {"program", "--width=6", "-Verbose", "-name=lena"};
  char* name = nullptr;
  printf("%d %d %d\n", getCmdLineArgumentInt(4, words, "width"), checkCmdLineFlag(4, words, "verbose"),
         checkCmdLineFlag(4, words, "height"));
  if (getCmdLineArgumentString(4, words, "name", &name)) printf("%s\n", name);

  StopWatchInterface* timer = nullptr;
  sdkCreateTimer(&timer);
  sdkStartTimer(&timer);
  const int w = 6, h = 4, n = w * h;
  unsigned char host[n];
  for (int i = 0; i < n; ++i) host[i] = (unsigned char)i;
  unsigned char* p;
  checkCudaErrors(cudaMalloc(&p, n));
  checkCudaErrors(cudaMemcpy(p, host, n, cudaMemcpyHostToDevice));
  invert<<<1, 32>>>(p, n);
  getLastCudaError("invert");
  checkCudaErrors(cudaMemcpy(host, p, n, cudaMemcpyDeviceToHost));
  checkCudaErrors(cudaFree(p));
  sdkStopTimer(&timer);
  printf("time %s\n", sdkGetTimerValue(&timer) > 0 ? "passed" : "stood still");
  sdkDeleteTimer(&timer);

  sdkSavePGM("out.pgm", host, w, h);
  unsigned char* back = nullptr;
  unsigned bw = 0, bh = 0;
  const bool loaded = sdkLoadPGM("out.pgm", &back, &bw, &bh);
  printf("%d %u x %u, %s\n", loaded, bw, bh, compareData(host, back, n, 0, 0.0f) ? "the same" : "another");
  back[3] ^= 8;
  printf("%s\n", compareData(host, back, n, 0, 0.0f) ? "the same" : "another");
  free(back);

  float values[3] = {1.5f, -2.25f, 3}, *read = nullptr;
  unsigned count = 0;
  sdkWriteFile("values.txt", values, 3, -1.0f, false);
  sdkReadFile("values.txt", &read, &count, false);
  printf("%u %g %d\n", count, read[1], sdkCompareL2fe(values, read, count, 1e-6f));
  free(read);
  printf("%s\n", sdkFindFilePath("out.pgm", argv[0]));
  return 0;
}
