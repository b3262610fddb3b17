// A butterfly on tiles of 512: the front half gets front + back reversed, the back half back -
// front reversed. Bound by starting blocks and latency. Both shared arrays are cut from one piece,
// whose size the launch gives.
constexpr int threads = 256;

__global__ void exchange_kernel(const float* in, float* out, int n) {
  extern __shared__ float memory[];
  float* front = memory;           // the tile's first 256 floats
  float* back = memory + threads;  // and its last 256
  const int start = blockIdx.x * 2 * threads;
  const int tid = threadIdx.x;
  front[tid] = start + tid < n ? in[start + tid] : 0.0f;
  back[tid] = start + threads + tid < n ? in[start + threads + tid] : 0.0f;
  __syncthreads();
  if (start + tid < n) out[start + tid] = front[tid] + back[threads - 1 - tid];
  if (start + threads + tid < n) out[start + threads + tid] = back[tid] - front[threads - 1 - tid];
}

void butterfly(const float* in, float* out, int n) {
  if (n == 0) return;
  const int tiles = (n + 2 * threads - 1) / (2 * threads);
  exchange_kernel<<<tiles, threads, 2 * threads * sizeof(float)>>>(in, out, n);
}
