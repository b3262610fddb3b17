// CUB's warp primitives, whole and logical warps, and cuda::atomic_ref.
#include <cub/warp/warp_reduce.cuh>
#include <cub/warp/warp_scan.cuh>
#include <cub/warp/warp_merge_sort.cuh>
#include <cuda/atomic>

#include <cstdio>

struct Less {
  __device__ bool operator()(int a, int b) const { return a < b; }
};

template <int Width>
__global__ void sums(const int* in, int* out) {
  using Reduce = cub::WarpReduce<int, Width>;
  __shared__ typename Reduce::TempStorage storage[128 / Width];
  int group = threadIdx.x / Width;
  int sum = Reduce(storage[group]).Sum(in[threadIdx.x]);
  if (threadIdx.x % Width == 0) out[group] = sum;
}

__global__ void scans(const int* in, int* out) {
  using Scan = cub::WarpScan<int>;
  __shared__ typename Scan::TempStorage storage[4];
  int v;
  Scan(storage[threadIdx.x / 32]).InclusiveSum(in[threadIdx.x], v);
  out[threadIdx.x] = v;
}

__global__ void sorted(const int* in, int* out) {
  using Sort = cub::WarpMergeSort<int, 2, 32>;
  __shared__ typename Sort::TempStorage storage[2];
  int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  int v[2] = {in[warp * 64 + 2 * lane], in[warp * 64 + 2 * lane + 1]};
  Sort(storage[warp]).Sort(v, Less());
  out[warp * 64 + 2 * lane] = v[0];
  out[warp * 64 + 2 * lane + 1] = v[1];
}

__global__ void count(const int* in, int* total, int* most) {
  cuda::atomic_ref<int, cuda::thread_scope_device> sum(*total), top(*most);
  sum.fetch_add(in[threadIdx.x], cuda::memory_order_relaxed);
  top.fetch_max(in[threadIdx.x]);
}

/// The last block adds up what the others published with a release.
__global__ void last_block(const int* in, int* partial, unsigned* done, int* total) {
  __shared__ bool last;
  if (threadIdx.x == 0) {
    partial[blockIdx.x] = in[blockIdx.x];
    cuda::atomic_ref<unsigned, cuda::thread_scope_device> counter(*done);
    last = counter.fetch_add(1, cuda::memory_order_acq_rel) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last || threadIdx.x) return;
  int sum = 0;
  for (int k = 0; k < gridDim.x; ++k) sum += partial[k];
  *total = sum;
}

int main() {
  int h[128], r[128];
  for (int i = 0; i < 128; ++i) h[i] = (i * 29) % 64;
  int *in, *out;
  cudaMalloc(&in, sizeof h);
  cudaMalloc(&out, sizeof h);
  cudaMemcpy(in, h, sizeof h, cudaMemcpyHostToDevice);
  sums<32><<<1, 128>>>(in, out);
  cudaMemcpy(r, out, 4 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("warps %d %d %d %d\n", r[0], r[1], r[2], r[3]);
  sums<8><<<1, 128>>>(in, out);
  cudaMemcpy(r, out, 16 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("eighths %d %d %d\n", r[0], r[1], r[15]);
  scans<<<1, 128>>>(in, out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  printf("scan %d %d\n", r[31], r[127]);
  sorted<<<1, 64>>>(in, out);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  printf("sorted %d %d %d %d\n", r[0], r[63], r[64], r[127]);
  cudaMemset(out, 0, sizeof h);
  count<<<1, 128>>>(in, out, out + 1);
  cudaMemcpy(r, out, 2 * sizeof(int), cudaMemcpyDeviceToHost);
  printf("atomics %d %d\n", r[0], r[1]);
  cudaMemset(out, 0, sizeof h);
  last_block<<<16, 32>>>(in, out, (unsigned*)out + 64, out + 65);
  cudaMemcpy(r, out, sizeof r, cudaMemcpyDeviceToHost);
  printf("published %d\n", r[65]);
  cudaFree(in);
  cudaFree(out);
}
