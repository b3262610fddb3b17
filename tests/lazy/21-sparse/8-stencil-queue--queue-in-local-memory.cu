// lazy: sparse/8-stencil-queue
// expect: gate local_load_sectors <= 0.1 * points
constexpr int radius = 4;
constexpr int block_x = 32;
constexpr int block_y = 8;
constexpr int height = 16;  // outputs per thread, along z
__constant__ float weight[radius + 1] = {-7.5f, 1.5f, -0.375f, 0.125f, -0.0625f};

__global__ void stencil_kernel(const float* in, float* out, int nx, int ny, int nz) {
  const int x = blockIdx.x * block_x + threadIdx.x;
  const int y = blockIdx.y * block_y + threadIdx.y;
  if (x >= nx || y >= ny) return;
  const int row = nx + 2 * radius;
  const int plane = row * (ny + 2 * radius);
  const int first = blockIdx.z * height;
  const int last = min(first + height, nz);
  const float* centre = in + (first + radius) * plane + (y + radius) * row + x + radius;
  float queue[16];  // plane z in place z % 16: nothing moves, and only local memory has such places
  for (int i = 0; i < 2 * radius; ++i) queue[(first + i) % 16u] = centre[(i - radius) * plane];
  for (int z = first; z < last; ++z, centre += plane) {
    queue[(z + 2 * radius) % 16u] = centre[radius * plane];
    float sum = weight[0] * queue[(z + radius) % 16u];
    for (int r = 1; r <= radius; ++r)
      sum += weight[r] * (queue[(z + radius - r) % 16u] + queue[(z + radius + r) % 16u] +
                          centre[-r * row] + centre[r * row] + centre[-r] + centre[r]);
    out[(z * ny + y) * nx + x] = sum;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 grid((nx + block_x - 1) / block_x, (ny + block_y - 1) / block_y,
                  (nz + height - 1) / height);
  stencil_kernel<<<grid, dim3(block_x, block_y)>>>(in, out, nx, ny, nz);
}
