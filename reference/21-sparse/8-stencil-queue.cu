// A stencil of 25 points in three dimensions: each output is a weighted sum of the point and of
// four points to each side along x, y and z. `in` has a border of four points on all sides.
// A thread goes up through z, and keeps nine points of its column in registers.
// The 16 loads per output within the plane are left. No resource is near its limit at this size.
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
  for (int i = 0; i < 2 * radius; ++i) queue[i + 1] = centre[(i - radius) * plane];
  for (int z = first; z < last; ++z) {
    for (int i = 0; i < 2 * radius; ++i) queue[i] = queue[i + 1];
    queue[2 * radius] = centre[radius * plane];
    float sum = weight[0] * queue[radius];
    for (int r = 1; r <= radius; ++r)
      sum += weight[r] * (queue[radius - r] + queue[radius + r] + centre[-r * row] +
                          centre[r * row] + centre[-r] + centre[r]);
    out[(z * ny + y) * nx + x] = sum;
    centre += plane;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 grid((nx + block_x - 1) / block_x, (ny + block_y - 1) / block_y,
                  (nz + height - 1) / height);
  stencil_kernel<<<grid, dim3(block_x, block_y)>>>(in, out, nx, ny, nz);
}
