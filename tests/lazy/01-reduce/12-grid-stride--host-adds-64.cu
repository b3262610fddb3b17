// lazy: reduce/12-grid-stride
// expect: gate mapped_reads <= 8
// 64 large blocks store their sums to managed memory. Host code adds so few sums in 130 instructions.
__managed__ float partials[64];
__global__ void sum_kernel(const float* in, int n) {
  __shared__ float s[32];
  float sum = 0;
  const int step = gridDim.x * blockDim.x, t = blockIdx.x * blockDim.x + threadIdx.x;
  const float4* in4 = reinterpret_cast<const float4*>(in);
  float4 a[8];
  int i = t;
  for (; i + 7 * step < n / 4; i += 8 * step) {
    for (int k = 0; k < 8; ++k) a[k] = in4[i + k * step];
    for (int k = 0; k < 8; ++k) sum += a[k].x + a[k].y + a[k].z + a[k].w;
  }
  for (; i < n / 4; i += step) {
    float4 v = in4[i];
    sum += v.x + v.y + v.z + v.w;
  }
  if (t < n % 4) sum += in[n / 4 * 4 + t];
  for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x < 32) {
    sum = threadIdx.x < blockDim.x / 32 ? s[threadIdx.x] : 0;
    for (int d = 16; d; d /= 2) sum += __shfl_xor_sync(~0u, sum, d);
    if (threadIdx.x == 0) partials[blockIdx.x] = sum;
  }
}
void reduce(const float* in, float* sum, int n) {
  float total = 0;
  if (n > 0) {
    sum_kernel<<<64, 1024>>>(in, n);
    cudaDeviceSynchronize();
    for (int b = 0; b < 64; ++b) total += partials[b];
  }
  cudaMemcpy(sum, &total, 4, cudaMemcpyHostToDevice);
}
