// Memory pools, peers and pages of memory as programs of several GPUs ask for them: here there is one of each.
#include <sys/mman.h>

#include <cstdio>

__global__ void count(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

int main() {
  const int n = 100;
  cudaMemPool_t pool;
  unsigned long long keep = ~0ull;
  if (cudaDeviceGetDefaultMemPool(&pool, 0) != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, 1) == cudaSuccess)
    return 1;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *d = nullptr, *pages = (int*)mmap(nullptr, n * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 2;
  cudaMallocFromPoolAsync(&d, n * sizeof(int), pool, stream);
  count<<<1, 128, 0, stream>>>(d, n);
  cudaMemcpyAsync(pages, d, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(d, stream);
  cudaStreamSynchronize(stream);
  int can = 1;
  cudaDeviceCanAccessPeer(&can, 0, 1);
  printf("%d %d, peer %d %d\n", pages[0], pages[n - 1], can, cudaDeviceEnablePeerAccess(1, 0));
  munmap(pages, n * sizeof(int));
  cudaMemPoolTrimTo(pool, 0);
  cudaStreamDestroy(stream);
  return 0;
}
