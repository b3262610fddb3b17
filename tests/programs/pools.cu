// Memory pools, peers and pages of memory as programs of several GPUs ask for them: here there is one of each.
#include <sys/mman.h>

#include <cstdio>

__global__ void count(int* p, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) p[i] = i;
}

void attributes(cudaMemPool_t pool, const char* when) {
  unsigned long long used = 7, most = 7, reserved = 7;
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &used);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &most);
  cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReservedMemCurrent, &reserved);
  printf("%s: %llu of %llu used, at most %llu\n", when, used, reserved, most);
}

void policies(cudaStream_t stream) {
  cudaStreamAttrValue value = {}, got = {};
  value.syncPolicy = cudaSyncPolicyYield;
  cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value);
  value.priority = -30;
  cudaStreamSetAttribute(stream, cudaStreamAttributePriority, &value);
  cudaStream_t other;
  cudaStreamCreate(&other);
  cudaStreamCopyAttributes(other, stream);
  int priority = 0;
  cudaStreamGetPriority(other, &priority);
  cudaStreamGetAttribute(other, cudaStreamAttributeSynchronizationPolicy, &got);
  printf("copied: priority %d, policy %d\n", priority, got.syncPolicy);  // -5 and 3 on an H200
  cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &got);
  printf("window %p, %zu bytes; another one: %s\n", got.accessPolicyWindow.base_ptr, got.accessPolicyWindow.num_bytes,
         cudaGetErrorName(cudaStreamGetAttribute(other, cudaStreamAttrID(4), &got)));
  cudaGetLastError();
  cudaStreamDestroy(other);
  char bus[16];
  void* function = bus;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSuccess;
  cudaDeviceGetPCIBusId(bus, sizeof bus, 0);
  cudaError_t e = cudaGetDriverEntryPointByVersion("cuNone", &function, 12000, cudaEnableDefault, &found);
  printf("%s; %s, %d\n", bus, cudaGetErrorName(e), found == cudaDriverEntryPointSymbolNotFound && !function);
}

int main() {
  const int n = 100;
  cudaMemPool_t pool;
  unsigned long long keep = ~0ull;
  if (cudaDeviceGetDefaultMemPool(&pool, 0) != cudaSuccess || cudaDeviceGetDefaultMemPool(&pool, 1) == cudaSuccess)
    return 1;
  attributes(pool, "before");
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  int *d = nullptr, *pages = (int*)mmap(nullptr, n * sizeof(int), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (pages == MAP_FAILED) return 2;
  cudaMallocFromPoolAsync(&d, n * sizeof(int), pool, stream);
  attributes(pool, "allocated");
  count<<<1, 128, 0, stream>>>(d, n);
  cudaMemcpyAsync(pages, d, n * sizeof(int), cudaMemcpyDeviceToHost, stream);
  cudaFreeAsync(d, stream);
  cudaStreamSynchronize(stream);
  int can = 1;
  cudaDeviceCanAccessPeer(&can, 0, 1);
  printf("%d %d, peer %d %d\n", pages[0], pages[n - 1], can, cudaDeviceEnablePeerAccess(1, 0));
  munmap(pages, n * sizeof(int));
  attributes(pool, "freed");
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep);
  cudaMallocAsync(&d, 4000, stream);
  cudaFreeAsync(d, stream);
  cudaStreamSynchronize(stream);
  attributes(pool, "kept");
  cudaMemPoolTrimTo(pool, 0);
  keep = 0;
  cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &keep);
  attributes(pool, "trimmed");
  policies(stream);
  cudaStreamDestroy(stream);
  return 0;
}
