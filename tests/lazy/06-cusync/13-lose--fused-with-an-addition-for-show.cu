// lazy: cusync/13-lose
// expect: gate working_launches >= 2
// One launch makes both chains. The choice decides about an addition that serves nothing.
constexpr int threads = 2;
__device__ int count;
__device__ void row_of(const float* x, const float* y, float* z, int i, int inner, int width) {
#pragma unroll 1
  for (int j = threadIdx.x; j < width; j += threads) {
    float sum = 0.0f;
    const float *p = x + i * inner, *q = y + j, *end = p + inner;
#pragma unroll 1
    for (; p != end; ++p, q += width) sum += *p * *q;
    z[i * width + j] = sum;
  }
}
__global__ void all(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
                    float* e2, int m, int few, int n, int k, int l, int show) {
  if (show && threadIdx.x == 0) atomicAdd(&count, 1);
#pragma unroll 1
  for (int i = blockIdx.x; i < m + few; i += gridDim.x) {
    const int row = i < m ? i : i - m;
    float* mid = i < m ? c : c2;
    row_of(a, b, mid, row, k, n);
    __syncwarp();
    row_of(mid, d, i < m ? e : e2, row, n, l);
  }
}
void chains(const float* a, const float* b, const float* d, float* c, float* e, float* c2,
            float* e2, int m, int few, int n, int k, int l) {
  if (n == 0 || l == 0) return;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  all<<<sms, threads>>>(a, b, d, c, e, c2, e2, m, few, n, k, l, m < 28);
}
