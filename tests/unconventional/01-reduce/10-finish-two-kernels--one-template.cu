// unconventional: reduce/10-finish-two-kernels
// One template makes both kernels; partial sums are in a __device__ array.
template <int T>
__global__ void k(const float* in, float* out, int n, int each) {
  __shared__ float s[T];
  const int first = blockIdx.x * each;
  float v = 0;
  for (int i = first + threadIdx.x; i < min(n, first + each); i += T) v += in[i];
  s[threadIdx.x] = v;
  for (int d = T / 2; d; d /= 2) {
    __syncthreads();
    if (threadIdx.x < d) s[threadIdx.x] += s[threadIdx.x + d];
  }
  if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}
__device__ float partials[1 << 20];
void reduce(const float* in, float* sum, int n) {
  float* p;
  cudaGetSymbolAddress((void**)&p, partials);
  const int blocks = min(1024, (n + 127) / 128), each = blocks ? (n + blocks - 1) / blocks : 1;
  if (blocks) k<256><<<blocks, 256>>>(in, p, n, each);
  k<1024><<<1, 1024>>>(p, sum, blocks, blocks);
}
