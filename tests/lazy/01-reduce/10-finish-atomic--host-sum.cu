// lazy: reduce/10-finish-atomic
// expect: gate copied_bytes <= 8
__global__ void reduce_kernel(const float* in, float* partials, int n) {
  __shared__ float s[8];
  const int first = blockIdx.x * 1024 + threadIdx.x;
  float sum = 0.0f;
  for (int k = 0; k < 4; ++k) sum += first + 256 * k < n ? in[first + 256 * k] : 0.0f;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_xor_sync(0xffffffff, sum, offset);
  if (threadIdx.x % 32 == 0) s[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x != 0) return;
  for (int warp = 1; warp < 8; ++warp) sum += s[warp];
  atomicAdd(&partials[blockIdx.x], sum);
}

void reduce(const float* in, float* sum, int n) {
  const int blocks = n > 0 ? (n + 1023) / 1024 : 1;
  float* partials;
  cudaMalloc(&partials, blocks * sizeof(float));
  cudaMemset(partials, 0, blocks * sizeof(float));
  reduce_kernel<<<blocks, 256>>>(in, partials, n);
  float* host = new float[blocks];
  cudaMemcpy(host, partials, blocks * sizeof(float), cudaMemcpyDeviceToHost);
  double total = 0;
  for (int b = 0; b < blocks; ++b) total += host[b];
  const float result = float(total);
  cudaMemcpy(sum, &result, sizeof(float), cudaMemcpyHostToDevice);
  delete[] host;
  cudaFree(partials);
}
