// The reduction tiers whose times were measured on an H100: modulo, strided index, sequential, add on load,
// last warp unrolled, shuffle.
__global__ void tierA(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    if (t % (2 * k) == 0) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void tierB(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned k = 1; k < blockDim.x; k *= 2) {
    int at = 2 * k * t;
    if (at < blockDim.x) s[at] += s[at + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void tierC(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0.0f;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void tierD(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  float x = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) x += in[i + blockDim.x];
  s[t] = x;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void tierE(const float* in, float* out, int n) {
  __shared__ float s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  float x = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) x += in[i + blockDim.x];
  s[t] = x;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 32; k >>= 1) {
    if (t < k) s[t] += s[t + k];
    __syncthreads();
  }
  if (t < 32) {
    volatile float* v = s;
    float x = v[t];
    x += v[t + 32];
    __syncwarp();
    v[t] = x;
    __syncwarp();
    x += v[t + 16];
    __syncwarp();
    v[t] = x;
    __syncwarp();
    x += v[t + 8];
    __syncwarp();
    v[t] = x;
    __syncwarp();
    x += v[t + 4];
    __syncwarp();
    v[t] = x;
    __syncwarp();
    x += v[t + 2];
    __syncwarp();
    v[t] = x;
    __syncwarp();
    x += v[t + 1];
    __syncwarp();
    v[t] = x;
    __syncwarp();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}
__global__ void tierF(const float* in, float* out, int n) {
  __shared__ float s[32];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x * 2 + t;
  float x = i < n ? in[i] : 0.0f;
  if (i + blockDim.x < n) x += in[i + blockDim.x];
  for (int k = 16; k > 0; k >>= 1) x += __shfl_xor_sync(0xffffffffu, x, k);
  if (t % 32 == 0) s[t / 32] = x;
  __syncthreads();
  if (t < 32) {
    x = t < blockDim.x / 32 ? s[t] : 0.0f;
    for (int k = 16; k > 0; k >>= 1) x += __shfl_xor_sync(0xffffffffu, x, k);
    if (t == 0) out[blockIdx.x] = x;
  }
}
