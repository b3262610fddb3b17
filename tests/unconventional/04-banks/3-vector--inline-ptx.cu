// unconventional: banks/3-vector
// Dynamic shared memory, and the load in PTX.
__global__ void k(const float* in, float* out, int n) {
  extern __shared__ uint4 buf[];
  const int t = threadIdx.x, chunk = 1024, first = blockIdx.x * chunk;
  if (first + chunk <= n) {
    buf[t] = __ldcs(reinterpret_cast<const uint4*>(in + first) + t);
    __syncthreads();
    unsigned a, b, c, d;
    asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                 : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                 : "r"(unsigned(__cvta_generic_to_shared(buf + 255 - t)))
                 : "memory");
    reinterpret_cast<uint4*>(out + first)[t] = make_uint4(d, c, b, a);
  } else
    for (int i = first + t; i < n; i += 256) out[i] = in[first + n - 1 - i];
}
void reverse(const float* in, float* out, int n) {
  if (n) k<<<(n + 1023) / 1024, 256, 4096>>>(in, out, n);
}
