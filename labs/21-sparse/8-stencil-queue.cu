// A stencil of 25 points in three dimensions: each output is a weighted sum of the point and of
// four points to each side along x, y and z. `in` has a border of four points on all sides.
// Bound by L2 bandwidth: each thread computes one output, and loads 25 floats for it.
constexpr int radius = 4;
constexpr int block_x = 32;
constexpr int block_y = 8;
__constant__ float weight[radius + 1] = {-7.5f, 1.5f, -0.375f, 0.125f, -0.0625f};

__global__ void stencil_kernel(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * block_x + threadIdx.x;
  const int y = blockIdx.y * block_y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int row = nx + 2 * radius;
  const int plane = row * (ny + 2 * radius);
  // TODO: let the thread go up through z, and keep the nine points along z in registers.
  const int z = blockIdx.z;
  const float* centre = in + (z + radius) * plane + (y + radius) * row + x + radius;
  float sum = weight[0] * centre[0];
  for (int r = 1; r <= radius; ++r)
    sum += weight[r] * (centre[-r * plane] + centre[r * plane] + centre[-r * row] +
                        centre[r * row] + centre[-r] + centre[r]);
  out[(z * ny + y) * nx + x] = sum;
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 grid((nx + block_x - 1) / block_x, (ny + block_y - 1) / block_y, nz);
  stencil_kernel<<<grid, dim3(block_x, block_y)>>>(in, out, nx, ny, nz);
}
