// lazy: privatisation/3-few-blocks
// expect: gate blocks <= 512 (n=4194301, simt:a5000)
// The blocks of an H100, written into the launch: 16 per SM on an A5000.
__global__ void k(const unsigned char* d, int* bins, int n) {
  __shared__ int c[256];
  c[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * 256 + threadIdx.x; i < n; i += gridDim.x * 256) atomicAdd(c + d[i], 1);
  __syncthreads();
  if (c[threadIdx.x]) atomicAdd(bins + threadIdx.x, c[threadIdx.x]);
}
void histogram(const unsigned char* d, int* bins, int n) {
  cudaMemset(bins, 0, 1024);
  if (n) k<<<min(1056, (n + 255) / 256), 256>>>(d, bins, n);
}
