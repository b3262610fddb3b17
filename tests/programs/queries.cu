// What programs ask the runtime: occupancy with flags, with shared memory by block size and in clusters; streams and
// their attributes; pools; kernels' names and parameters. Where a comment says so, an H200 gives the same.
#include <cstdio>
#include <cstring>

__global__ void plain(float* x) {
  if (x) *x = 1;
}
extern "C" __global__ void __cluster_dims__(2, 1, 1) pairs(int* x, double y, char z) {
  if (x) *x = int(y) + z;
}

int rounds_of_64(int threads) { return threads * 64; }
struct RoundsOf {
  int bytes;
  __host__ __device__ size_t operator()(int threads) const { return size_t(threads) * bytes; }
};

const char* name(cudaError_t e) { return cudaGetErrorName(e); }

void clusters() {
  cudaLaunchConfig_t config = {};
  config.gridDim = 16;
  config.blockDim = 1024;
  int n = -1, size = -1;
  printf("pairs of 1024 threads: %s", name(cudaOccupancyMaxActiveClusters(&n, pairs, &config)));
  printf(" %d\n", n);  // 132 on an H200
  printf("largest: %s", name(cudaOccupancyMaxPotentialClusterSize(&size, plain, &config)));
  printf(" %d\n", size);  // 8
  cudaLaunchAttribute of_four = {};
  of_four.id = cudaLaunchAttributeClusterDimension;
  of_four.val.clusterDim.x = 4;
  of_four.val.clusterDim.y = of_four.val.clusterDim.z = 1;
  config.attrs = &of_four;
  config.numAttrs = 1;
  printf("another size than compiled: %s\n", name(cudaOccupancyMaxActiveClusters(&n, pairs, &config)));
  config.gridDim = 18;
  printf("18 blocks by 4: %s\n", name(cudaOccupancyMaxActiveClusters(&n, plain, &config)));
  config.gridDim = 16;
  of_four.val.clusterDim.x = 16;
  printf("16 blocks: %s\n", name(cudaOccupancyMaxActiveClusters(&n, plain, &config)));
  cudaFuncSetAttribute(plain, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
  cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024);
  config.dynamicSmemBytes = 200 * 1024;
  for (int blocks = 1; blocks <= 16; blocks *= 2) {
    of_four.val.clusterDim.x = blocks;
    cudaOccupancyMaxActiveClusters(&n, plain, &config);
    printf("%d by %d\n", n, blocks);  // 132 by 1, 66, 30, 15 and 7 by 16
  }
  config.dynamicSmemBytes = 300 * 1024;
  printf("too much shared memory: %s", name(cudaOccupancyMaxActiveClusters(&n, plain, &config)));
  printf(" %d\n", n);
  cudaGetLastError();
}

void occupancy() {
  int grid = -1, block = -1, blocks = -1;
  size_t bytes = 0;
  cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, plain, 0, 0, cudaOccupancyDisableCachingOverride);
  printf("flag 1: %d x %d\n", grid, block);
  printf("flag 7: %s\n", name(cudaOccupancyMaxPotentialBlockSizeWithFlags(&grid, &block, plain, 0, 0, 7)));
  printf("flag 7: %s\n", name(cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(&blocks, plain, 128, 0, 7)));
  printf("no threads: %s\n", name(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 0, 0)));
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 0, 100);
  printf("up to 100: %d x %d\n", grid, block);  // 4224 x 64 on an H200
  cudaOccupancyMaxPotentialBlockSize(&grid, &block, plain, 60000);
  printf("more than is allowed: %d x %d\n", grid, block);  // 0 x 0
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, plain, rounds_of_64);
  printf("64 bytes per thread: %d x %d\n", grid, block);  // 528 x 512
  cudaOccupancyMaxPotentialBlockSizeVariableSMem(&grid, &block, plain, RoundsOf{200});
  printf("200 bytes per thread: %d x %d\n", grid, block);  // 660 x 224
  const size_t much = 100000;
  cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      &grid, &block, plain, [=](int threads) { return threads > 256 ? much : 0; }, 500, cudaOccupancyDefault);
  printf("none up to 256 threads: %d x %d\n", grid, block);  // 1056 x 256
  printf("3 of 1024: %s\n", name(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 3, 1024)));
  cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 2, 1024);
  printf("2 of 1024: %zu\n", bytes);  // 49152
  cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, plain, 16, 128);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, plain, 128, bytes);
  printf("16 of 128: %zu, %d blocks\n", bytes, blocks);
  cudaGetLastError();
}

void streams() {
  cudaStream_t all[5];
  cudaStreamCreate(&all[0]);
  cudaStreamCreateWithFlags(&all[1], cudaStreamNonBlocking);
  cudaStreamCreateWithPriority(&all[2], cudaStreamNonBlocking, -2);
  cudaStreamCreateWithPriority(&all[3], cudaStreamDefault, -9);
  all[4] = 0;
  unsigned long long before = ~0ull;
  bool distinct = true;
  for (cudaStream_t s : all) {
    int priority = 7, device = 7;
    unsigned flags = 7;
    unsigned long long id = 0;
    cudaStreamGetPriority(s, &priority);
    cudaStreamGetFlags(s, &flags);
    cudaStreamGetId(s, &id);
    cudaStreamGetDevice(s, &device);
    distinct = distinct && id != before;
    before = id;
    printf("priority %d, flags %u, device %d\n", priority, flags, device);
  }
  printf("each has its own number: %d\n", distinct);
  float *managed, *device;
  cudaMallocManaged(&managed, 4096);
  cudaMalloc(&device, 4096);
  printf("attach: %s", name(cudaStreamAttachMemAsync(all[0], managed)));
  printf(" %s", name(cudaStreamAttachMemAsync(all[0], managed, 4096, cudaMemAttachGlobal)));
  printf(" %s", name(cudaStreamAttachMemAsync(all[0], managed, 16)));
  printf(" %s", name(cudaStreamAttachMemAsync(0, managed)));
  printf(" %s", name(cudaStreamAttachMemAsync(all[0], device)));
  printf(" %s", name(cudaStreamAttachMemAsync(all[0], nullptr)));
  printf(" %s\n", name(cudaStreamAttachMemAsync(all[0], managed, 0, 9)));
  cudaFree(managed);
  cudaFree(device);
  for (int i = 0; i < 4; ++i) cudaStreamDestroy(all[i]);
  int priority;
  printf("destroyed: %s\n", name(cudaStreamGetPriority(all[0], &priority)));
  cudaGetLastError();
}

void launches() {
  int* x;
  cudaMallocManaged(&x, sizeof *x);
  double y = 40;
  char z = 2;
  void* arguments[] = {&x, &y, &z};
  cudaLaunchConfig_t config = {};
  config.gridDim = 2;
  config.blockDim = 32;
  printf("launch: %s", name(cudaLaunchKernelExC(&config, (const void*)pairs, arguments)));
  cudaDeviceSynchronize();
  printf(" %d\n", *x);
  cudaFree(x);
  const char* text = 0;
  cudaFuncGetName(&text, pairs);
  printf("%s:", text);
  for (size_t i = 0, offset, bytes; cudaFuncGetParamInfo((const void*)pairs, i, &offset, &bytes) == cudaSuccess; ++i)
    printf(" %zu at %zu", bytes, offset);
  printf("\n");
  cudaGetLastError();
}

void limits() {
  size_t bytes = 0;
  cudaDeviceSetLimit(cudaLimitStackSize, 5000);
  cudaDeviceGetLimit(&bytes, cudaLimitStackSize);
  printf("stack %zu", bytes);  // 5008 on an H200
  cudaDeviceSetLimit(cudaLimitMallocHeapSize, 50000000);
  cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize);
  printf(", heap %zu\n", bytes);  // 50003968
  void* pinned;
  unsigned flags = 0;
  cudaHostAlloc(&pinned, 64, cudaHostAllocPortable);
  cudaHostGetFlags(&flags, pinned);
  printf("flags %u", flags);
  printf(" %s\n", name(cudaHostGetFlags(&flags, &flags)));
  cudaFreeHost(pinned);
  cudaGetLastError();
}

void slices() {
  cudaExtent all = make_cudaExtent(8, 4, 3), part = make_cudaExtent(5, 2, 2);
  cudaPitchedPtr p;
  cudaMalloc3D(&p, all);
  cudaMemset3D(p, 1, all);
  cudaMemset3DAsync(p, 2, part, 0);
  char rows[12][8];
  cudaMemcpy2D(rows, 8, p.ptr, p.pitch, 8, 12, cudaMemcpyDeviceToHost);
  for (int z = 0; z < 12; z += 4) printf("%d%d%d ", rows[z][4], rows[z][5], rows[z + 2][0]);
  printf("of three slices\n");
  cudaFree(p.ptr);
}

int main() {
  slices();
  clusters();
  launches();
  streams();
  limits();
  cudaFuncSetAttribute(plain, cudaFuncAttributeMaxDynamicSharedMemorySize, 48 * 1024);
  occupancy();
}
