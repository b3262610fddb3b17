// lazy: sparse/8-stencil-queue
// expect: gate time_us <= 1.5 * reference(self)
// A ring whose first place moves. The compiler does not know its indices, so each use takes many instructions.
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
  float queue[2 * radius + 1];  // queue[radius] is the point itself
  for (int i = 0; i < 2 * radius; ++i) queue[i] = centre[(i - radius) * plane];
  int newest = 2 * radius;
  for (int z = first; z < last; ++z, centre += plane) {
    queue[newest] = centre[radius * plane];
    const int middle = newest + 2 * radius + 1 - radius;
    float sum = weight[0] * queue[middle % 9];
    for (int r = 1; r <= radius; ++r)
      sum += weight[r] * (queue[(middle - r) % 9] + queue[(middle + r) % 9] + centre[-r * row] +
                          centre[r * row] + centre[-r] + centre[r]);
    newest = (newest + 1) % 9;
    out[(z * ny + y) * nx + x] = sum;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 grid((nx + block_x - 1) / block_x, (ny + block_y - 1) / block_y,
                  (nz + height - 1) / height);
  stencil_kernel<<<grid, dim3(block_x, block_y)>>>(in, out, nx, ny, nz);
}
