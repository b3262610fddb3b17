// Doubles n floats from data[offset] on. The warps begin at a sector boundary, not at the first
// float.
// Bound by DRAM bandwidth (at 2^21 floats as much by the start of its blocks): 8 bytes per float,
// each sector touched by one request.
constexpr int threads = 256;
constexpr int sector_floats = 8;  // 32 bytes

__global__ void scale_kernel(float* data, int offset, int n) {
  const int boundary = offset / sector_floats * sector_floats;
  const int i = boundary + blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= offset && i < offset + n) data[i] *= 2.0f;  // the first few threads have no element
}

void scale(float* data, int offset, int n) {
  if (n == 0) return;
  const int span = n + offset % sector_floats;  // from the boundary to the end
  scale_kernel<<<(span + threads - 1) / threads, threads>>>(data, offset, n);
}
