// Steps of plasma and fluid codes: charges and particles, a field, and a fluid on a lattice.
#include "zoo.cuh"

// Each particle adds its charge to the four nodes around it.
__global__ void pl_deposit_charge(const float2* at, float charge, float* density, int side, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float2 p = at[i];
  const int x = int(p.x), y = int(p.y), right = x + 1 < side ? x + 1 : 0, up = y + 1 < side ? y + 1 : 0;
  const float u = p.x - x, v = p.y - y;
  atomicAdd(&density[y * side + x], charge * (1 - u) * (1 - v));
  atomicAdd(&density[y * side + right], charge * u * (1 - v));
  atomicAdd(&density[up * side + x], charge * (1 - u) * v);
  atomicAdd(&density[up * side + right], charge * u * v);
}

__device__ float wrapped(float x, float side) { return x - side * floorf(x / side); }

// The Boris push: half an electric kick, a rotation about the magnetic field, the other half.
__global__ void pl_boris_push(const float4* at, const float4* momentum, const float2* field, float magnetic,
                              float dt, int side, float4* at_next, float4* momentum_next, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 p = at[i], m = momentum[i];
  const float2 e = field[int(p.y) * side + int(p.x)];
  const float h = 0.5f * dt * p.w;
  m.x += h * e.x;
  m.y += h * e.y;
  const float t = h * magnetic * rsqrtf(1 + m.x * m.x + m.y * m.y + m.z * m.z), s = 2 * t / (1 + t * t);
  const float wx = m.x + m.y * t, wy = m.y - m.x * t;
  m.x += wy * s + h * e.x;
  m.y += -wx * s + h * e.y;
  const float speed = dt * rsqrtf(1 + m.x * m.x + m.y * m.y + m.z * m.z);
  p.x = wrapped(p.x + m.x * speed, float(side));
  p.y = wrapped(p.y + m.y * speed, float(side));
  p.z += m.z * speed;
  at_next[i] = p;
  momentum_next[i] = m;
}

// One step of Maxwell's equations in a plane: the magnetic field from the curl of the electric one.
__global__ void pl_fdtd_step(const float* ex, const float* ey, const float* hz, const float* damp_x,
                             const float* damp_y, float* hz_next, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width - 1 || y >= height - 1) return;
  const int i = y * width + x;
  const float curl = (ex[i + width] - ex[i]) - (ey[i + 1] - ey[i]);
  hz_next[i] = damp_x[x] * damp_y[y] * hz[i] + 0.5f * curl;
}

// Lattice Boltzmann with nine velocities: streaming by reads, then relaxation to the equilibrium.
__global__ void pl_lattice_boltzmann(const float* from, float* to, int width, int height, float omega) {
  const int n = width * height, i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int x = i % width, y = i / width;
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1}, cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  const float weight[9] = {4 / 9.0f,  1 / 9.0f,  1 / 9.0f,  1 / 9.0f, 1 / 9.0f,
                           1 / 36.0f, 1 / 36.0f, 1 / 36.0f, 1 / 36.0f};
  float f[9], rho = 0, ux = 0, uy = 0;
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const int sx = (x - cx[k] + width) % width, sy = (y - cy[k] + height) % height;
    f[k] = from[k * n + sy * width + sx];
    rho += f[k];
    ux += f[k] * cx[k];
    uy += f[k] * cy[k];
  }
  ux /= rho;
  uy /= rho;
  const float square = 1.5f * (ux * ux + uy * uy);
#pragma unroll
  for (int k = 0; k < 9; ++k) {
    const float c = 3 * (cx[k] * ux + cy[k] * uy);
    const float equilibrium = weight[k] * rho * (1 + c + 0.5f * c * c - square);
    to[k * n + i] = f[k] + omega * (equilibrium - f[k]);
  }
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("pl_deposit_charge")) {
    const int side = 96, n = 50000;
    float* density = zoo.zeros<float>(side * side);
    const float* at = zoo.upload(random_floats(2 * n, 1, 0, side * 0.999f));
    pl_deposit_charge<<<(n + 255) / 256, 256>>>((const float2*)at, 0.25f, density, side, n);
    zoo.expect("pl_deposit_charge", density, side * side, 0.25 * n);
  }
  if (zoo.runs("pl_boris_push")) {
    const int side = 64, n = 70000;
    auto at = random_floats(4 * n, 2, 0, side * 0.999f);
    for (int i = 0; i < n; ++i) at[4 * i + 3] = i % 2 ? 1.0f : -0.2f;
    float4 *at_next = zoo.zeros<float4>(n), *momentum_next = zoo.zeros<float4>(n);
    pl_boris_push<<<(n + 127) / 128, 128>>>((const float4*)zoo.upload(at),
                                            (const float4*)zoo.upload(random_floats(4 * n, 3, -1, 1)),
                                            (const float2*)zoo.upload(random_floats(2 * side * side, 4)),
                                            0.7f, 0.1f, side, at_next, momentum_next, n);
    zoo.show("pl_boris_push", (const float*)at_next, 4 * n);
  }
  if (zoo.runs("pl_fdtd_step")) {
    const int width = 410, height = 250, n = width * height;
    float* next = zoo.zeros<float>(n);
    pl_fdtd_step<<<dim3((width + 31) / 32, (height + 3) / 4), dim3(32, 4)>>>(
        zoo.upload(random_floats(n, 5)), zoo.upload(random_floats(n, 6)), zoo.upload(random_floats(n, 7)),
        zoo.upload(random_floats(width, 8, 0.9f, 1)), zoo.upload(random_floats(height, 9, 0.9f, 1)), next,
        width, height);
    zoo.show("pl_fdtd_step", next, n);
  }
  if (zoo.runs("pl_lattice_boltzmann")) {
    const int width = 200, height = 130, n = 9 * width * height;
    const auto start = random_floats(n, 10, 0.5f, 1);
    double mass = 0;
    for (float f : start) mass += f;
    float *a = zoo.upload(start), *b = zoo.zeros<float>(n), *c = zoo.zeros<float>(n);
    const int blocks = (width * height + 127) / 128;
    pl_lattice_boltzmann<<<blocks, 128>>>(a, b, width, height, 1.2f);
    pl_lattice_boltzmann<<<blocks, 128>>>(b, c, width, height, 1.2f);
    pl_lattice_boltzmann<<<blocks, 128>>>(c, b, width, height, 1.2f);
    zoo.expect("pl_lattice_boltzmann", b, n, mass);
  }
  return zoo.done();
}
