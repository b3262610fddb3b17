// unconventional: banks/3-vector-pairs
template <class Vector, int threads>
__global__ void reverse_chunks(const float* __restrict__ in, float* __restrict__ out, int n) {
  extern __shared__ char room[];
  Vector* buf = reinterpret_cast<Vector*>(room);
  const int chunk = threads * sizeof(Vector) / sizeof(float);
  const int t = threadIdx.x, first = blockIdx.x * chunk, length = min(chunk, n - first);
  if (length < chunk) {
    for (int i = t; i < length; i += threads) out[first + length - 1 - i] = in[first + i];
    return;
  }
  const Vector v = reinterpret_cast<const Vector*>(in + first)[t];
  buf[t ^ (threads - 1)] = v;
  __syncthreads();
  const Vector w = buf[t];
  reinterpret_cast<Vector*>(out + first)[t] = {w.w, w.z, w.y, w.x};
}

void reverse(const float* in, float* out, int n) {
  if (n > 0) reverse_chunks<float4, 128><<<(n + 511) / 512, 128, 2048>>>(in, out, n);
}
