// lazy: sparse/8-stencil-queue
// expect: gate global_load_lane_bytes + shared_load_lane_bytes + 128 * texture_requests <= 76 * points
// A tile of shared memory in three dimensions: 25 loads per output from there, no queue.
constexpr int radius = 4;
constexpr int block_x = 32;
constexpr int block_y = 8;
constexpr int height = 8;  // outputs per thread, along z
__constant__ float weight[radius + 1] = {-7.5f, 1.5f, -0.375f, 0.125f, -0.0625f};

__global__ void stencil_kernel(const float* in, float* out, int nx, int ny, int nz) {
  extern __shared__ float tile[];
  constexpr int wide = block_x + 2 * radius, high = block_y + 2 * radius;
  const int row = nx + 2 * radius, plane = row * (ny + 2 * radius);
  const int x0 = blockIdx.x * block_x, y0 = blockIdx.y * block_y, z0 = blockIdx.z * height;
  const int tall = min(height, nz - z0) + 2 * radius;
  for (int i = threadIdx.y * block_x + threadIdx.x; i < wide * high * tall; i += block_x * block_y) {
    const int tx = i % wide, ty = i / wide % high, tz = i / wide / high;
    if (x0 + tx < row && y0 + ty < ny + 2 * radius)
      tile[i] = in[(z0 + tz) * plane + (y0 + ty) * row + x0 + tx];
  }
  __syncthreads();
  const int x = x0 + threadIdx.x, y = y0 + threadIdx.y;
  if (x >= nx || y >= ny) return;
  for (int z = 0; z < tall - 2 * radius; ++z) {
    const float* c = tile + ((z + radius) * high + threadIdx.y + radius) * wide + threadIdx.x + radius;
    float sum = weight[0] * c[0];
#pragma unroll
    for (int r = 1; r <= radius; ++r)
      sum += weight[r] * (c[-r] + c[r] + c[-r * wide] + c[r * wide] + c[-r * wide * high] + c[r * wide * high]);
    out[((z0 + z) * ny + y) * nx + x] = sum;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 grid((nx + block_x - 1) / block_x, (ny + block_y - 1) / block_y,
                  (nz + height - 1) / height);
  constexpr size_t bytes = sizeof(float) * (block_x + 2 * radius) * (block_y + 2 * radius) * (height + 2 * radius);
  stencil_kernel<<<grid, dim3(block_x, block_y), bytes>>>(in, out, nx, ny, nz);
}
