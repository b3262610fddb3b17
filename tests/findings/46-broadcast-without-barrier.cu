// Race, shared: thread 0 takes a piece of work for the block, and the others read it at once.
#include <cstdio>
#include <vector>

__device__ int next;

__global__ void workers(int* done, int pieces) {
  __shared__ int piece;
  while (true) {
    // fix: __syncthreads();
    if (threadIdx.x == 0) piece = atomicAdd(&next, 1);  // expect: race // fix: if (threadIdx.x == 0) piece = atomicAdd(&next, 1);
    __syncthreads();
    if (piece >= pieces) return;  // other side
    done[piece * 64 + threadIdx.x] = piece;
  }
}

int main() {
  const int pieces = 20;
  std::vector<int> h(pieces * 64);
  int* done;
  cudaMalloc(&done, h.size() * sizeof(int));
  cudaMemset(done, 0, h.size() * sizeof(int));
  workers<<<4, 64>>>(done, pieces);
  cudaMemcpy(h.data(), done, h.size() * sizeof(int), cudaMemcpyDeviceToHost);
  printf("%d\n", h.back());
  cudaFree(done);
}
