// lazy: banks/3-vector-pairs
// expect: gate shared_loads <= 1.02 * n / 64
// Scalar accesses. Accesses of 16 bytes that no result needs raise the bytes per access.
constexpr int threads = 256;
constexpr int chunk = 2 * threads;
__global__ void reverse_chunks(const float* in, float* out, int n) {
  __shared__ alignas(16) float buf[chunk];
  __shared__ float4 junk[threads];
  int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length == chunk) {
    float2 v = reinterpret_cast<const float2*>(in + first)[t];
    volatile float* b = buf;
    float4 a = {v.x, v.y, v.x, v.y};
    asm volatile("st.shared.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"((unsigned)__cvta_generic_to_shared(&junk[t])),
                 "f"(a.x), "f"(a.y), "f"(a.z), "f"(a.w));
    b[t] = v.x;
    b[t + threads] = v.y;
    asm volatile("ld.shared.v4.f32 {%0,%1,%2,%3}, [%4];"
                 : "=f"(a.x), "=f"(a.y), "=f"(a.z), "=f"(a.w)
                 : "r"((unsigned)__cvta_generic_to_shared(&junk[t])));
    __syncthreads();
    float2 o = {b[chunk - 1 - t], b[threads - 1 - t]};
    reinterpret_cast<float2*>(out + first)[t] = o;
  } else {
    for (int i = t; i < length; i += threads) out[first + i] = in[first + length - 1 - i];
  }
}
void reverse(const float* in, float* out, int n) {
  if (n == 0) return;
  reverse_chunks<<<(n + chunk - 1) / chunk, threads>>>(in, out, n);
}
