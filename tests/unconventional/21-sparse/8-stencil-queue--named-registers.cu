// unconventional: sparse/8-stencil-queue
// Nine named variables instead of an array.
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
  float a, b = centre[-4 * plane], c = centre[-3 * plane], d = centre[-2 * plane];
  float e = centre[-plane], f = centre[0], g = centre[plane], h = centre[2 * plane];
  float i = centre[3 * plane];
  for (int z = first; z < last; ++z, centre += plane) {
    a = b, b = c, c = d, d = e, e = f, f = g, g = h, h = i;
    i = centre[4 * plane];
    float sum = weight[0] * e + weight[1] * (d + f) + weight[2] * (c + g) + weight[3] * (b + h) +
                weight[4] * (a + i);
    for (int r = 1; r <= radius; ++r)
      sum += weight[r] * (centre[-r * row] +
                          centre[r * row] + centre[-r] + centre[r]);
    out[(z * ny + y) * nx + x] = sum;
  }
}

void stencil(const float* in, float* out, int nx, int ny, int nz) {
  if (nx == 0 || ny == 0 || nz == 0) return;
  const dim3 grid((nx + block_x - 1) / block_x, (ny + block_y - 1) / block_y,
                  (nz + height - 1) / height);
  stencil_kernel<<<grid, dim3(block_x, block_y)>>>(in, out, nx, ny, nz);
}
