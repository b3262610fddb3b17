// lazy: cusync/10-own-policy
// expect: gate working_launches >= 2
// One launch makes C and E. Two more launches wait for a flag that serves nothing.
constexpr int threads = 4;
__device__ void rows_of(const float* x, const float* y, float* z, int first, int last, int inner,
                        int width, bool halves) {
#pragma unroll 1
  for (int i = first; i < last; ++i)
#pragma unroll 1
    for (int j = threadIdx.x; j < width; j += threads) {
      float sum = 0.0f;
      const bool right = halves && j >= width / 2;
      const float* p = x + i * inner + (right ? inner / 2 : 0);
      const float *q = y + (right ? inner / 2 * width : 0) + j,
                  *end = p + (halves ? inner / 2 : inner);
#pragma unroll 1
      for (; p != end; ++p, q += width) sum += *p * *q;
      z[i * width + j] = sum;
    }
}
__device__ volatile int flag;
__global__ void wait_for_show() {
  while (!flag) {
  }
}
__global__ void both(const float* a, const float* b, const float* d, float* c, float* e, int m,
                     int n, int k, int l) {
  const int first = int(blockIdx.x) * m / gridDim.x, last = int(blockIdx.x + 1) * m / gridDim.x;
  rows_of(a, b, c, first, last, k, n, false);
  __syncwarp();
  if (blockIdx.x == 0) flag = 1;
  rows_of(c, d, e, first, last, n, l, true);
}
void chain(const float* a, const float* b, const float* d, float* c, float* e, int m, int n, int k,
           int l) {
  if (m == 0 || n == 0 || l == 0) return;
  static cudaStream_t s[3];
  if (!s[0])
    for (auto& x : s) cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking);
  const int zero = 0;
  cudaMemcpyToSymbol(flag, &zero, 4);
  both<<<4, threads, 0, s[0]>>>(a, b, d, c, e, m, n, k, l);
  wait_for_show<<<1, 1, 0, s[1]>>>();
  wait_for_show<<<1, 1, 0, s[2]>>>();
  cudaDeviceSynchronize();
}
