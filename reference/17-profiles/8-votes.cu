// Weighted votes for 8 labels: vote i is the pair votes[2 i] (label), votes[2 i + 1] (weight).
// Each warp adds up in shared memory, in 8 sums of its own. A block then adds 8 sums to those of
// the GPU. A pair is one load of 8 bytes. Bound by DRAM bandwidth.
constexpr int threads = 256;
constexpr int labels = 8;
constexpr int warps = threads / 32;

__global__ void votes_kernel(const int2* votes, int* sums, int n) {
  __shared__ int mine[warps][labels];
  if (threadIdx.x < warps * labels) mine[threadIdx.x / labels][threadIdx.x % labels] = 0;
  __syncthreads();
  for (int i = blockIdx.x * threads + threadIdx.x; i < n; i += gridDim.x * threads)
    atomicAdd(&mine[threadIdx.x / 32][votes[i].x], votes[i].y);
  __syncthreads();
  if (threadIdx.x >= labels) return;
  int sum = 0;
  for (int w = 0; w < warps; ++w) sum += mine[w][threadIdx.x];
  atomicAdd(&sums[threadIdx.x], sum);
}

void votes(const int* pairs, int* sums, int n) {
  cudaMemset(sums, 0, labels * sizeof(int));
  if (n == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  votes_kernel<<<8 * sms, threads>>>(reinterpret_cast<const int2*>(pairs), sums, n);
}
