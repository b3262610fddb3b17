// Physics on a lattice: gluon fields whose plaquettes are added up, fermions that hop, links drawn by a heat
// bath, and Potts spins swept in one launch.
#include <cooperative_groups.h>
#include <cuda_fp16.h>

#include <complex>

#include "zoo.cuh"

namespace cg = cooperative_groups;

constexpr int directions = 4;

struct Lattice {
  int side, sites;  // The fourth direction has the rest of the sites.
};

__host__ __device__ inline int moved(Lattice l, int site, int direction, int by) {
  int stride = 1;
  for (int k = 0; k < direction; ++k) stride *= l.side;
  const int length = direction == 3 ? l.sites / stride : l.side, c = site / stride % length;
  return site + ((c + by + length) % length - c) * stride;
}

struct Matrix {
  double2 e[9];
};

__device__ Matrix load(const double2* link, int site, int direction, int sites) {
  Matrix m;
#pragma unroll
  for (int k = 0; k < 9; ++k) m.e[k] = link[size_t(direction * 9 + k) * sites + site];
  return m;
}

// a b, or a times b's adjoint.
template <bool adjoint>
__device__ Matrix times(const Matrix& a, const Matrix& b) {
  Matrix m;
#pragma unroll
  for (int r = 0; r < 3; ++r)
#pragma unroll
    for (int c = 0; c < 3; ++c) {
      double2 sum = {0, 0};
#pragma unroll
      for (int k = 0; k < 3; ++k) {
        const double2 x = a.e[3 * r + k], y = b.e[adjoint ? 3 * c + k : 3 * k + c];
        const double i = adjoint ? -y.y : y.y;
        sum.x += x.x * y.x - x.y * i;
        sum.y += x.x * i + x.y * y.x;
      }
      m.e[3 * r + c] = sum;
    }
  return m;
}

// The real trace around all six plaquettes of a site: products of four SU(3) matrices in double precision.
__global__ void __launch_bounds__(64) lq_add_plaquettes(const double2* link, double* planes, Lattice l) {
  __shared__ double warps[2];
  const int site = blockIdx.x * 64 + threadIdx.x;
  int plane = 0;
  for (int mu = 0; mu < directions; ++mu)
    for (int nu = mu + 1; nu < directions; ++nu, ++plane) {
      double sum = 0;
      if (site < l.sites) {
        const Matrix there =
            times<false>(load(link, site, mu, l.sites), load(link, moved(l, site, mu, 1), nu, l.sites));
        const Matrix back = times<true>(there, load(link, moved(l, site, nu, 1), mu, l.sites));
        const Matrix last = load(link, site, nu, l.sites);
#pragma unroll
        for (int k = 0; k < 9; ++k) sum += back.e[k].x * last.e[k].x + back.e[k].y * last.e[k].y;
      }
      for (int d = 16; d; d /= 2) sum += __shfl_down_sync(~0u, sum, d);
      if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
      __syncthreads();
      if (threadIdx.x == 0) atomicAdd(&planes[plane], warps[0] + warps[1]);
      __syncthreads();
    }
}

// Staggered fermions: each site gathers its eight neighbours through the links. Colours are halves with one
// scale per site.
__global__ void lq_hop_fermions(const float2* link, const __half2* colour, const float* scale, float2* out,
                                Lattice l) {
  const int site = blockIdx.x * blockDim.x + threadIdx.x;
  if (site >= l.sites) return;
  float2 sum[3] = {};
  int sign = 1;
  for (int mu = 0; mu < directions; ++mu) {
#pragma unroll
    for (int side = 0; side < 2; ++side) {
      const int other = moved(l, site, mu, side ? -1 : 1), owner = side ? other : site;
      const float s = scale[other] * sign * (side ? -0.5f : 0.5f);
      float2 v[3];
#pragma unroll
      for (int k = 0; k < 3; ++k) v[k] = __half22float2(colour[k * l.sites + other]);
#pragma unroll
      for (int r = 0; r < 3; ++r)
#pragma unroll
        for (int k = 0; k < 3; ++k) {
          float2 u = link[size_t(mu * 9 + (side ? 3 * k + r : 3 * r + k)) * l.sites + owner];
          if (side) u.y = -u.y;
          sum[r].x += s * (u.x * v[k].x - u.y * v[k].y);
          sum[r].y += s * (u.x * v[k].y + u.y * v[k].x);
        }
    }
    int c = site;
    for (int k = 0; k < mu; ++k) c /= l.side;
    if (c % (mu == 3 ? l.sites : l.side) & 1) sign = -sign;
  }
#pragma unroll
  for (int k = 0; k < 3; ++k) out[k * l.sites + site] = sum[k];
}

struct Draws {
  unsigned x, y;
  __host__ __device__ float unit() {
    x ^= x << 13;
    x ^= x >> 17;
    x ^= x << 5;
    y = y * 69069u + 12345u;
    return (((x + y) >> 8) + 1) / 16777217.0f;
  }
};

__host__ __device__ inline float4 heat_bath(Draws& d, float weight) {
  float a, off;
  do {  // Kennedy and Pendleton's way to the first component.
    const float c = cosf(6.2831853f * d.unit());
    off = -(logf(d.unit()) * c * c + logf(d.unit())) / weight;
    a = d.unit();
  } while (a * a > 1 - 0.5f * off);
  float4 q;
  q.x = 1 - off;
  const float length = sqrtf(fmaxf(0.0f, 1 - q.x * q.x)), z = 2 * d.unit() - 1, angle = 6.2831853f * d.unit();
  const float flat = length * sqrtf(fmaxf(0.0f, 1 - z * z));
  q.y = flat * cosf(angle);
  q.z = flat * sinf(angle);
  q.w = length * z;
  return q;
}

// New SU(2) links by the heat bath. How often a thread draws depends on its luck and on its staple.
__global__ void lq_heat_links(const float4* staple, float4* link, float beta, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 s = staple[i];
  const float size = sqrtf(s.x * s.x + s.y * s.y + s.z * s.z + s.w * s.w);
  Draws d = {i * 2654435761u + 1, i ^ 0x5bd1e995u};
  const float4 q = heat_bath(d, beta * size);
  const float k = 1 / size;
  // Times the staple's adjoint.
  link[i] = make_float4(k * (q.x * s.x + q.y * s.y + q.z * s.z + q.w * s.w),
                        k * (q.y * s.x - q.x * s.y - q.z * s.w + q.w * s.z),
                        k * (q.z * s.x - q.x * s.z - q.w * s.y + q.y * s.w),
                        k * (q.w * s.x - q.x * s.w - q.y * s.z + q.z * s.y));
}

constexpr int states = 5;
__constant__ unsigned potts_weight[states];  // By how many neighbours agree, 0 to 4.

__host__ __device__ inline unsigned char new_spin(const int* beside, unsigned seed, const unsigned* weight) {
  unsigned limit[states], sum = 0;
  for (int s = 0; s < states; ++s) {
    int agree = 0;
    for (int k = 0; k < 4; ++k) agree += beside[k] == s;
    limit[s] = sum += weight[agree];
  }
  seed ^= seed >> 16;
  seed *= 0x7feb352du;
  seed ^= seed >> 15;
  seed *= 0x846ca68bu;
  seed ^= seed >> 16;
  const unsigned place = unsigned((unsigned long long)seed * sum >> 32);
  int s = 0;
  while (place >= limit[s]) ++s;
  return (unsigned char)s;
}

// Sweeps over Potts spins, black and white sites in turns; the grid meets after each half.
__global__ void lq_sweep_spins(const unsigned char* in, unsigned char* spin, int width, int height,
                               int sweeps) {
  cg::grid_group grid = cg::this_grid();
  const int n = width * height, all = int(grid.size());
  for (int i = int(grid.thread_rank()); i < n; i += all) spin[i] = in[i];
  grid.sync();
  for (int half = 0; half < 2 * sweeps; ++half) {
    for (int i = int(grid.thread_rank()); i < n / 2; i += all) {
      const int y = i / (width / 2), x = i % (width / 2) * 2 + ((y + half) & 1);
      const int beside[4] = {
          __ldcg(&spin[y * width + (x + 1) % width]), __ldcg(&spin[y * width + (x + width - 1) % width]),
          __ldcg(&spin[(y + 1) % height * width + x]), __ldcg(&spin[(y + height - 1) % height * width + x])};
      spin[y * width + x] = new_spin(beside, unsigned(half * n + i), potts_weight);
    }
    grid.sync();
  }
}

static void add_plaquettes(Zoo& zoo) {
  const Lattice l = {8, 8 * 8 * 8 * 16};
  const auto link = random_doubles(size_t(72) * l.sites, 1, -1, 1);
  double* planes = zoo.zeros<double>(6);
  lq_add_plaquettes<<<(l.sites + 63) / 64, 64>>>((const double2*)zoo.upload(link), planes, l);
  using Complex = std::complex<double>;
  auto u = [&](int site, int mu, int r, int c) {
    const size_t at = 2 * (size_t(mu * 9 + 3 * r + c) * l.sites + site);
    return Complex(link[at], link[at + 1]);
  };
  std::vector<double> want(6);
  for (int site = 0; site < l.sites; ++site)
    for (int mu = 0, plane = 0; mu < 4; ++mu)
      for (int nu = mu + 1; nu < 4; ++nu, ++plane) {
        const int right = moved(l, site, mu, 1), up = moved(l, site, nu, 1);
        for (int a = 0; a < 3; ++a)
          for (int c = 0; c < 3; ++c) {
            Complex there = 0, other = 0;
            for (int b = 0; b < 3; ++b) {
              there += u(site, mu, a, b) * u(right, nu, b, c);
              other += u(site, nu, a, b) * u(up, mu, b, c);
            }
            want[plane] += (there * conj(other)).real();
          }
      }
  zoo.expect_each(
      "lq_add_plaquettes", planes, 6, 1, [&](size_t i) { return want[i]; }, 1e-8);
}

static void hop_fermions(Zoo& zoo) {
  const Lattice l = {16, 16 * 16 * 16 * 10};
  const auto link = random_floats(size_t(72) * l.sites, 2, -1, 1), scale = random_floats(l.sites, 3, 0.5f, 2);
  std::vector<__half2> colour(3 * l.sites);
  Random r{4};
  for (auto& c : colour) c = __floats2half2_rn(2 * r.unit() - 1, 2 * r.unit() - 1);
  auto* out = zoo.zeros<float2>(3 * l.sites);
  lq_hop_fermions<<<(l.sites + 127) / 128, 128>>>((const float2*)zoo.upload(link), zoo.upload(colour),
                                                  zoo.upload(scale), out, l);
  const auto want = [&](size_t i) {
    const int row = int(i / 2 / l.sites), site = int(i / 2 % l.sites);
    const int place[4] = {site % 16, site / 16 % 16, site / 256 % 16, site / 4096};
    std::complex<double> sum = 0;
    for (int mu = 0, before = 0; mu < 4; before += place[mu++])
      for (int side = 0; side < 2; ++side)
        for (int k = 0; k < 3; ++k) {
          const int other = moved(l, site, mu, side ? -1 : 1), e = side ? 3 * k + row : 3 * row + k;
          const size_t at = 2 * (size_t(mu * 9 + e) * l.sites + (side ? other : site));
          const float2 v = __half22float2(colour[k * l.sites + other]);
          const std::complex<double> u(link[at], side ? -link[at + 1] : link[at + 1]), x(v.x, v.y);
          sum += u * x * double(scale[other]) * (side ? -0.5 : 0.5) * (before % 2 ? -1.0 : 1.0);
        }
    return i % 2 ? sum.imag() : sum.real();
  };
  zoo.expect_each("lq_hop_fermions", (const float*)out, 6 * size_t(l.sites), 331, want, 1e-4);
}

static void heat_links(Zoo& zoo) {
  const int n = 70000;
  const float beta = 2.3f;
  const auto staple = random_floats(4 * n, 5, -1, 1);
  auto* link = zoo.zeros<float>(4 * n);
  lq_heat_links<<<(n + 255) / 256, 256>>>((const float4*)zoo.upload(staple), (float4*)link, beta, n);
  const auto got = zoo.download(link, 4 * size_t(n));
  double lengths = 0, along = 0, want = 0;
  for (int i = 0; i < n; ++i) {
    const float *q = &got[4 * i], *s = &staple[4 * i];
    const float size = sqrtf(s[0] * s[0] + s[1] * s[1] + s[2] * s[2] + s[3] * s[3]);
    lengths += q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    // The first component of the link times the staple is what was drawn.
    along += (q[0] * s[0] - q[1] * s[1] - q[2] * s[2] - q[3] * s[3]) / size;
    Draws d = {i * 2654435761u + 1, i ^ 0x5bd1e995u};
    want += heat_bath(d, beta * size).x;
  }
  zoo.show("lq_heat_links", link, 4 * size_t(n));
  zoo.require("lq_heat_links", fabs(lengths - n) < 1e-3 * n, "links have the length 1");
  zoo.require("lq_heat_links", fabs(along - want) < 1e-3 * n,
              "links lie as far along their staples as drawn");
}

static void sweep_spins(Zoo& zoo) {
  int width = 320, height = 256, sweeps = 5;
  const int n = width * height;
  unsigned weight[states];
  for (int k = 0; k < states; ++k) weight[k] = unsigned(1e6 * exp(1.1 * k));
  zoo.ok(cudaMemcpyToSymbol(potts_weight, weight, sizeof weight));
  std::vector<unsigned char> want(n);
  Random r{6};
  for (auto& s : want) s = (unsigned char)r.below(states);
  const unsigned char* in = zoo.upload(want);
  unsigned char* spin = zoo.zeros<unsigned char>(n);
  void* arguments[] = {&in, &spin, &width, &height, &sweeps};
  zoo.ok(cudaLaunchCooperativeKernel((void*)lq_sweep_spins, dim3(132), dim3(192), arguments, 0, nullptr));
  for (int half = 0; half < 2 * sweeps; ++half)
    for (int i = 0; i < n / 2; ++i) {
      const int y = i / (width / 2), x = i % (width / 2) * 2 + ((y + half) & 1);
      const int beside[4] = {want[y * width + (x + 1) % width], want[y * width + (x + width - 1) % width],
                             want[(y + 1) % height * width + x], want[(y + height - 1) % height * width + x]};
      want[y * width + x] = new_spin(beside, unsigned(half * n + i), weight);
    }
  zoo.expect_each(
      "lq_sweep_spins", spin, n, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("lq_add_plaquettes")) add_plaquettes(zoo);
  if (zoo.runs("lq_hop_fermions")) hop_fermions(zoo);
  if (zoo.runs("lq_heat_links")) heat_links(zoo);
  if (zoo.runs("lq_sweep_spins")) sweep_spins(zoo);
  return zoo.done();
}
