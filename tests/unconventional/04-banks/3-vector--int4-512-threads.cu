// unconventional: banks/3-vector
__global__ void reverse_chunks(const int* in, int* out, int n) {
  __shared__ int4 buf[2][256];
  const int half = threadIdx.x / 256, t = threadIdx.x % 256, first = (2 * blockIdx.x + half) * 1024;
  const int length = min(1024, n - first);
  if (length == 1024) buf[half][t] = *reinterpret_cast<const int4*>(in + first + 4 * t);
  __syncthreads();
  if (length == 1024) {
    const int4 v = buf[half][255 - t];
    *reinterpret_cast<int4*>(out + first + 4 * t) = make_int4(v.w, v.z, v.y, v.x);
  } else {
    for (int i = t; i < length; i += 256) out[first + i] = in[first + length - 1 - i];
  }
}

void reverse(const float* in, float* out, int n) {
  if (n > 0)
    reverse_chunks<<<(n + 2047) / 2048, 512>>>(reinterpret_cast<const int*>(in), reinterpret_cast<int*>(out),
                                               n);
}
