// Seismic processing, as old codes are ported: waves in a block of rock, travel times, an image of the
// ground, and a scan of velocities.
#include "zoo.cuh"

#define RADIUS 4
#define BX 32
#define BY 8
#define INDEX(ix, iy, iz) (((size_t)(iz)*ny + (iy)) * nx + (ix))

__constant__ float c_coef[RADIUS + 1];

// One time step of the acoustic wave equation, eighth order. A block walks down through its column of planes;
// the values above and below are in registers, those beside are in shared memory.
__global__ void se_wave_step(const float* p, const float* old, const float* vel2, float* next, int nx, int ny,
                             int nz) {
  __shared__ float plane[BY + 2 * RADIUS][BX + 2 * RADIUS];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int ix = blockIdx.x * BX + tx + RADIUS, iy = blockIdx.y * BY + ty + RADIUS;
  const size_t stride = (size_t)nx * ny;
  size_t at = INDEX(ix, iy, 0);
  float queue[2 * RADIUS + 1];
#pragma unroll
  for (int i = 0; i < 2 * RADIUS; ++i) queue[i + 1] = p[at + i * stride];
  at += (RADIUS - 1) * stride;
  for (int iz = RADIUS; iz < nz - RADIUS; ++iz) {
    at += stride;
#pragma unroll
    for (int i = 0; i < 2 * RADIUS; ++i) queue[i] = queue[i + 1];
    queue[2 * RADIUS] = p[at + RADIUS * stride];
    __syncthreads();
    plane[ty + RADIUS][tx + RADIUS] = queue[RADIUS];
    if (ty < RADIUS) {
      plane[ty][tx + RADIUS] = p[at - RADIUS * nx];
      plane[ty + BY + RADIUS][tx + RADIUS] = p[at + BY * nx];
    }
    if (tx < RADIUS) {
      plane[ty + RADIUS][tx] = p[at - RADIUS];
      plane[ty + RADIUS][tx + BX + RADIUS] = p[at + BX];
    }
    __syncthreads();
    float lap = 3 * c_coef[0] * queue[RADIUS];
#pragma unroll
    for (int r = 1; r <= RADIUS; ++r)
      lap += c_coef[r] * (queue[RADIUS - r] + queue[RADIUS + r] + plane[ty + RADIUS][tx + RADIUS - r] +
                          plane[ty + RADIUS][tx + RADIUS + r] + plane[ty + RADIUS - r][tx + RADIUS] +
                          plane[ty + RADIUS + r][tx + RADIUS]);
    next[at] = 2 * queue[RADIUS] - old[at] + vel2[at] * lap;
  }
}

#define NE 96

// Travel times from a source by fast sweeping: four orders of the diagonals, all in one block's shared
// memory.
__global__ void se_sweep_times(const float* slowness, float* time, int source, int rounds) {
  __shared__ float t[NE * NE];
  for (int i = threadIdx.x; i < NE * NE; i += blockDim.x) t[i] = i == source ? 0.0f : 1e6f;
  __syncthreads();
  for (int sweep = 0; sweep < 4 * rounds; ++sweep) {
    for (int diagonal = 0; diagonal < 2 * NE - 1; ++diagonal) {
      int i = threadIdx.x, j = diagonal - i;
      if (i < NE && j >= 0 && j < NE) {
        if (sweep & 1) i = NE - 1 - i;
        if (sweep & 2) j = NE - 1 - j;
        const float a = fminf(i > 0 ? t[j * NE + i - 1] : 1e6f, i < NE - 1 ? t[j * NE + i + 1] : 1e6f);
        const float b = fminf(j > 0 ? t[(j - 1) * NE + i] : 1e6f, j < NE - 1 ? t[(j + 1) * NE + i] : 1e6f);
        const float s = slowness[j * NE + i];
        float mine;
        if (fabsf(a - b) >= s)
          mine = fminf(a, b) + s;
        else
          mine = 0.5f * (a + b + sqrtf(2 * s * s - (a - b) * (a - b)));
        if (mine < t[j * NE + i]) t[j * NE + i] = mine;
      }
      __syncthreads();
    }
  }
  for (int i = threadIdx.x; i < NE * NE; i += blockDim.x) time[i] = t[i];
}

// Kirchhoff migration with straight rays: a point of the image gathers every trace where its echo arrived.
__host__ __device__ inline float echo(const float* trace, int ns, float x, float z, float src, float rec,
                                      float per_dt) {
  const float there = sqrtf((x - src) * (x - src) + z * z), back = sqrtf((x - rec) * (x - rec) + z * z);
  const float sample = (there + back) * per_dt;
  const int k = (int)sample;
  if (k >= ns - 1) return 0.0f;
  const float f = sample - k;
  return ((1 - f) * trace[k] + f * trace[k + 1]) * z / (there * back);
}

__global__ void se_migrate(const float* traces, const float2* place, int ntr, int ns, float* image, int nx,
                           int nz, float dx, float per_dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * nz) return;
  const float x = (i / nz) * dx, z = (i % nz + 1) * dx;
  float sum = 0.0f;
  for (int k = 0; k < ntr; ++k) sum += echo(traces + k * ns, ns, x, z, place[k].x, place[k].y, per_dt);
  image[i] = sum;
}

// Semblance: how well the traces agree along a hyperbola. A warp per velocity and time, a lane per few
// traces.
__global__ void se_scan_velocities(const float* gather, const float* offset, float* semblance, int ntr,
                                   int ns, int nvel, int nt0, float dt, int half) {
  const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5, lane = threadIdx.x & 31;
  if (warp >= nvel * nt0) return;
  const float slow = 1.0f / (1500.0f + 40.0f * (warp % nvel)), t0 = (warp / nvel + 4) * 8 * dt;
  float num = 0, den = 0;
  for (int w = -half; w <= half; ++w) {
    float sum = 0, square = 0;
    for (int k = lane; k < ntr; k += 32) {
      const float move = offset[k] * slow;
      const int s = (int)(sqrtf(t0 * t0 + move * move) / dt + 0.5f) + w;
      const float v = s < ns ? gather[k * ns + s] : 0;
      sum += v;
      square += v * v;
    }
    for (int d = 16; d > 0; d >>= 1) {
      sum += __shfl_xor_sync(0xffffffff, sum, d);
      square += __shfl_xor_sync(0xffffffff, square, d);
    }
    num += sum * sum;
    den += square;
  }
  if (lane == 0) semblance[warp] = den > 0 ? num / (ntr * den) : 0.0f;
}

static void wave_step(Zoo& zoo) {
  const int nx = 168, ny = 136, nz = 72;
  const float coef[RADIUS + 1] = {-205.0f / 72, 8.0f / 5, -1.0f / 5, 8.0f / 315, -1.0f / 560};
  zoo.ok(cudaMemcpyToSymbol(c_coef, coef, sizeof(coef)));
  const size_t n = (size_t)nx * ny * nz;
  const std::vector<float> p = random_floats(n, 1, -1, 1), old = random_floats(n, 2, -1, 1),
                           vel2 = random_floats(n, 3, 0.05f, 0.2f);
  float* next = zoo.zeros<float>(n);
  const dim3 block(BX, BY), grid((nx - 2 * RADIUS) / BX, (ny - 2 * RADIUS) / BY);
  se_wave_step<<<grid, block>>>(zoo.upload(p), zoo.upload(old), zoo.upload(vel2), next, nx, ny, nz);
  auto want = [&](size_t i) -> double {
    const int ix = int(i % nx), iy = int(i / nx % ny), iz = int(i / nx / ny);
    if (ix < RADIUS || iy < RADIUS || iz < RADIUS || ix >= nx - RADIUS || iy >= ny - RADIUS ||
        iz >= nz - RADIUS)
      return 0;
    double lap = 3.0 * coef[0] * p[i];
    for (int r = 1; r <= RADIUS; ++r)
      lap +=
          coef[r] * ((double)p[INDEX(ix - r, iy, iz)] + p[INDEX(ix + r, iy, iz)] + p[INDEX(ix, iy - r, iz)] +
                     p[INDEX(ix, iy + r, iz)] + p[INDEX(ix, iy, iz - r)] + p[INDEX(ix, iy, iz + r)]);
    return 2.0 * p[i] - old[i] + vel2[i] * lap;
  };
  zoo.expect_each("se_wave_step", next, n, 1999, want, 1e-4);
}

static void sweep_times(Zoo& zoo) {
  // Where the ground is all alike, times are nearly the distances; they are at most those along the axes.
  const float s = 0.5f;
  const int source = 20 * NE + 31;
  float* time = zoo.zeros<float>(NE * NE);
  se_sweep_times<<<1, 128>>>(zoo.upload(std::vector<float>(NE * NE, s)), time, source, 1);
  zoo.show("se_sweep_times", time, NE * NE);
  const std::vector<float> got = zoo.download(time, NE * NE);
  int wrong = 0;
  for (int i = 0; i < NE * NE; ++i) {
    const float dx = float(abs(i % NE - 31)), dy = float(abs(i / NE - 20)),
                straight = s * sqrtf(dx * dx + dy * dy);
    wrong +=
        got[i] < 0.999f * straight || got[i] > 1.001f * s * (dx + dy) || got[i] > straight * 1.05f + 1.0f;
  }
  zoo.require("se_sweep_times", wrong == 0, "times lie between the straight way and the one along the axes");
}

static void scan_velocities(Zoo& zoo) {
  const int ntr = 60, ns = 700, nvel = 50, nt0 = 60;
  const float dt = 0.004f, vel = 2300, t0 = (30 + 4) * 8 * dt;
  std::vector<float> gather = random_floats(ntr * ns, 7, -0.05f, 0.05f), offset(ntr);
  for (int k = 0; k < ntr; ++k) {
    offset[k] = 60.0f + 55.0f * k;
    const float t = sqrtf(t0 * t0 + offset[k] * offset[k] / (vel * vel)) / dt;
    for (int s = 0; s < ns; ++s) gather[k * ns + s] += expf(-0.1f * (s - t) * (s - t));
  }
  float* semblance = zoo.zeros<float>(nvel * nt0);
  se_scan_velocities<<<(nvel * nt0 * 32 + 191) / 192, 192>>>(zoo.upload(gather), zoo.upload(offset),
                                                             semblance, ntr, ns, nvel, nt0, dt, 3);
  zoo.show("se_scan_velocities", semblance, nvel * nt0);
  const std::vector<float> got = zoo.download(semblance, nvel * nt0);
  int best = 0;
  for (int i = 0; i < nvel * nt0; ++i) best = got[i] > got[best] ? i : best;
  zoo.require("se_scan_velocities", best == 30 * nvel + 20 && got[best] > 0.8f && got[best] <= 1.0001f,
              "the planted reflection agrees best");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("se_wave_step")) wave_step(zoo);
  if (zoo.runs("se_sweep_times")) sweep_times(zoo);
  if (zoo.runs("se_migrate")) {
    const int ntr = 240, ns = 600, nx = 110, nz = 90;
    const float dx = 10, per_dt = 1 / (2000 * 0.002f);
    const std::vector<float> traces = random_floats(ntr * ns, 5, -1, 1);
    std::vector<float2> place(ntr);
    for (int k = 0; k < ntr; ++k)
      place[k] = make_float2(45.0f * (k / 10), 20.0f * (k % 10) + 45.0f * (k / 10));
    float* image = zoo.zeros<float>(nx * nz);
    se_migrate<<<(nx * nz + 63) / 64, 64>>>(zoo.upload(traces), zoo.upload(place), ntr, ns, image, nx, nz, dx,
                                            per_dt);
    auto want = [&](size_t i) {
      double sum = 0;
      for (int k = 0; k < ntr; ++k)
        sum += echo(&traces[k * ns], ns, (i / nz) * dx, (i % nz + 1) * dx, place[k].x, place[k].y, per_dt);
      return sum;
    };
    zoo.expect_each("se_migrate", image, nx * nz, 97, want, 2e-3);
  }
  if (zoo.runs("se_scan_velocities")) scan_velocities(zoo);
  return zoo.done();
}
