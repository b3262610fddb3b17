// lazy: reduce/13-double
// expect: gate time_us <= 1.5 * reference(self)
// Doubles all the way, in eight blocks: 124 of 132 SMs are idle.
constexpr int threads = 256;
__device__ double partials[8];
__device__ unsigned done;

__global__ void reduce_kernel(const double* in, double* sum, int n) {
  __shared__ double s[threads];
  const double2* pairs = reinterpret_cast<const double2*>(in);
  double value = 0.0;
  for (int i = blockIdx.x * threads + threadIdx.x; i < n / 2; i += gridDim.x * threads)
    value += pairs[i].x + pairs[i].y;
  if (n % 2 == 1 && blockIdx.x == 0 && threadIdx.x == 0) value += in[n - 1];
  s[threadIdx.x] = value;
  __syncthreads();
  for (int stride = threads / 2; stride > 0; stride /= 2) {
    if (threadIdx.x < stride) s[threadIdx.x] += s[threadIdx.x + stride];
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    partials[blockIdx.x] = s[0];
    __threadfence();
    if (atomicAdd(&done, 1u) == gridDim.x - 1) {
      __threadfence();
      double all = 0.0;
      for (int b = 0; b < gridDim.x; ++b) all += partials[b];
      *sum = all;
      done = 0;
    }
  }
}

void reduce(const double* in, double* sum, int n) { reduce_kernel<<<8, threads>>>(in, sum, n); }
