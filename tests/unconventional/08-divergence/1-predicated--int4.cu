// unconventional: divergence/1-predicated
// Four numbers per load, and a second launch for the rest.
__device__ int f(int x) { return x & 1 ? x + 1 : x << 1; }
__global__ void k(const int* in, int* out, int n) {
  const int i = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i + 4 <= n) {
    const int4 v = *reinterpret_cast<const int4*>(in + i);
    *reinterpret_cast<int4*>(out + i) = make_int4(f(v.x), f(v.y), f(v.z), f(v.w));
  }
}
__global__ void rest(const int* in, int* out, int from, int n) {
  const int i = from + threadIdx.x;
  if (i < n) out[i] = f(in[i]);
}
void odd_even(const int* in, int* out, int n) {
  if (n >= 4) k<<<(n / 4 + 255) / 256, 256>>>(in, out, n);
  if (n % 4) rest<<<1, 4>>>(in, out, n / 4 * 4, n);
}
