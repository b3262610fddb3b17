// Calculations of a nuclear reactor: cross sections looked up and broadened, neutrons followed one by one,
// fuel that burns, a sweep along one direction, and the power iteration of a core.
#include <cooperative_groups.h>

#include <algorithm>

#include "zoo.cuh"

namespace cg = cooperative_groups;

namespace reactor {
constexpr int nuclides = 20, points = 600, materials = 6;

struct Section {
  double energy, total, absorption, fission;
};

struct Material {
  int count;
  int nuclide[nuclides];
  double density[nuclides];
};

struct Macro {
  double total, absorption, fission;
};

__host__ __device__ inline Macro at_energy(const Section* table, const Material& m, double e) {
  Macro sum = {0, 0, 0};
  for (int k = 0; k < m.count; ++k) {
    const Section* s = table + m.nuclide[k] * points;
    int low = 0, high = points - 1;
    while (high - low > 1) {
      const int middle = (low + high) >> 1;
      if (s[middle].energy > e)
        high = middle;
      else
        low = middle;
    }
    const double f = (e - s[low].energy) / (s[high].energy - s[low].energy);
    sum.total += m.density[k] * (s[low].total + f * (s[high].total - s[low].total));
    sum.absorption += m.density[k] * (s[low].absorption + f * (s[high].absorption - s[low].absorption));
    sum.fission += m.density[k] * (s[low].fission + f * (s[high].fission - s[low].fission));
  }
  return sum;
}
}  // namespace reactor

using reactor::Macro;
using reactor::Material;
using reactor::Section;

// Macroscopic cross sections: each query has an energy and a material of 3 to 20 nuclides.
__global__ void nr_look_up_sections(const Section* table, const Material* material, const double* energy,
                                    const int* of, Macro* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = reactor::at_energy(table, material[of[i]], energy[i]);
}

// A resonance line broadened by the motion of hot nuclei: a quadrature over the nuclei's speeds.
__global__ void nr_broaden_lines(const float* energy, float* out, int n, float width, float heat) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    const float e = energy[i], v = sqrtf(e);
    float sum = 0;
#pragma unroll 1
    for (int k = -15; k <= 15; ++k) {
      const float u = v + 0.25f * k * heat;
      const float lorentz = 1 / (1 + powf((u * u - 2) / width, 2.0f));
      const float z = 0.25f * k;
      sum += u > 0 ? lorentz * expf(-z * z) * rsqrtf(u) : 0;
    }
    out[i] = sum * 0.25f * 0.56418958f + 1e-3f * erfcf(v / (3 * heat));
  }
}

struct Slab {
  float thickness, total, absorb;
};

__host__ __device__ inline float draw(unsigned long long& state) {
  state = state * 6364136223846793005ull + 1442695040888963407ull;
  return (unsigned(state >> 40) + 0.5f) * (1.0f / 16777216.0f);
}

/// The end of one neutron: 0 reflected, 1 through the slab, 2 absorbed. Below 0.05 of its weight, roulette.
__host__ __device__ inline int fate(unsigned long long state, Slab s, float& deposited) {
  float x = 0, mu = 1, weight = 1;
  deposited = 0;
  while (true) {
    x += mu * -logf(draw(state)) / s.total;
    if (x < 0) return 0;
    if (x > s.thickness) return 1;
    deposited += weight * s.absorb;
    weight *= 1 - s.absorb;
    if (weight < 0.05f) {
      if (draw(state) < 0.5f) return 2;
      weight *= 2;
    }
    mu = 2 * draw(state) - 1;
  }
}

// Neutrons through a slab, tallied per block in shared memory.
__global__ void __launch_bounds__(128, 8)
    nr_follow_neutrons(Slab s, unsigned long long* ends, float* deposited, int per_thread) {
  __shared__ unsigned tally[3];
  if (threadIdx.x < 3) tally[threadIdx.x] = 0;
  __syncthreads();
  const unsigned id = blockIdx.x * 128 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < per_thread; ++k) {
    float d;
    atomicAdd(&tally[fate((id * 8ull + k) * 0x9e3779b97f4a7c15ull, s, d)], 1u);
    sum += d;
  }
  deposited[id] = sum;
  __syncthreads();
  if (threadIdx.x < 3) atomicAdd(&ends[threadIdx.x], (unsigned long long)tally[threadIdx.x]);
}

constexpr int isotopes = 14;

struct Chain {
  double decay[isotopes], capture[isotopes];
  int daughter[isotopes], product[isotopes];  // Below 0: leaves the chain.
};

__host__ __device__ inline void rates(const Chain& c, double flux, const double* n, double* change) {
  for (int i = 0; i < isotopes; ++i) change[i] = 0;
  for (int i = 0; i < isotopes; ++i) {
    const double decayed = c.decay[i] * n[i], captured = c.capture[i] * flux * n[i];
    change[i] -= decayed + captured;
    if (c.daughter[i] >= 0) change[c.daughter[i]] += decayed;
    if (c.product[i] >= 0) change[c.product[i]] += captured;
  }
}

__host__ __device__ inline void burn(const Chain& c, double flux, double* n, int steps, double dt) {
  double k[isotopes], y[isotopes], sum[isotopes];
  for (int s = 0; s < steps; ++s) {
    rates(c, flux, n, k);
    for (int i = 0; i < isotopes; ++i) sum[i] = k[i];
    for (int stage = 1; stage < 4; ++stage) {
      for (int i = 0; i < isotopes; ++i) y[i] = n[i] + (stage == 3 ? dt : dt / 2) * k[i];
      rates(c, flux, y, k);
      for (int i = 0; i < isotopes; ++i) sum[i] += (stage == 3 ? 1 : 2) * k[i];
    }
    for (int i = 0; i < isotopes; ++i) n[i] += dt / 6 * sum[i];
  }
}

__constant__ Chain fuel_chain;

// Fuel cells burn: a Runge-Kutta integration of the decay chain per thread, its isotopes in local memory.
__global__ void nr_burn_fuel(const double* flux, const double* start, double* out, int cells, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= cells) return;
  double n[isotopes];
  for (int k = 0; k < isotopes; ++k) n[k] = start[k * cells + i];
  burn(fuel_chain, flux[i], n, steps, 0.02);
  for (int k = 0; k < isotopes; ++k) out[k * cells + i] = n[k];
}

constexpr int side = 64;

// Diamond differences: a block sweeps a square of cells along its direction, one diagonal after another.
__global__ void nr_sweep_square(const float* source, const float* sigma, const float2* direction,
                                float* flux) {
  __shared__ float from_left[side], from_below[side];
  const int row = threadIdx.x;
  const float2 d = direction[blockIdx.x];
  from_left[row] = from_below[row] = 0;
  __syncthreads();
  float* mine = flux + blockIdx.x * side * side;
  for (int diagonal = 0; diagonal < 2 * side - 1; ++diagonal) {
    const int x = diagonal - row;
    if (x >= 0 && x < side) {
      const int cell = row * side + x;
      const float left = from_left[row], below = from_below[x];
      const float psi = (source[cell] + 2 * d.x * left + 2 * d.y * below) / (sigma[cell] + 2 * (d.x + d.y));
      from_left[row] = 2 * psi - left;
      from_below[x] = 2 * psi - below;
      mine[cell] = psi;
    }
    __syncthreads();
  }
}

__host__ __device__ inline float next_flux(float left, float here, float right, int i) {
  const float fission = i % 7 < 4 ? 0.062f : 0.0f;
  return 0.3f * (left + right) + (0.35f + fission) * here;
}

// The flux of a core by power iteration: one cooperative launch, the sum of every round over all blocks.
__global__ void nr_iterate_power(float* a, float* b, float* partial, float* factor, int rounds) {
  cg::grid_group grid = cg::this_grid();
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  __shared__ float warps[8];
  const int n = int(grid.size()), i = int(grid.thread_rank());
  a[i] = 1;
  grid.sync();
  for (int round = 0; round < rounds; ++round) {
    const float *from = round % 2 ? b : a, left = i ? __ldcg(&from[i - 1]) : 0,
                right = i < n - 1 ? __ldcg(&from[i + 1]) : 0;
    const float v = next_flux(left, __ldcg(&from[i]), right, i);
    float sum = v;
    for (int o = warp.size() / 2; o; o /= 2) sum += warp.shfl_down(sum, o);
    if (warp.thread_rank() == 0) warps[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
      for (int w = 1; w < 8; ++w) sum += warps[w];
      partial[blockIdx.x] = sum;
    }
    grid.sync();
    float all = 0;
    for (int k = warp.thread_rank(); k < int(gridDim.x); k += 32) all += __ldcg(&partial[k]);
    for (int o = 16; o; o /= 2) all += warp.shfl_xor(all, o);
    const float k = all / n;
    (round % 2 ? a : b)[i] = v / k;
    if (i == 0) factor[round] = k;
    grid.sync();
  }
}

static void look_up_sections(Zoo& zoo) {
  const int n = 16000;
  Random r{1};
  std::vector<Section> table(reactor::nuclides * reactor::points);
  for (int k = 0; k < reactor::nuclides; ++k) {
    double e = 0;
    for (int p = 0; p < reactor::points; ++p) {
      table[k * reactor::points + p] = {e, 1.0 + r.unit(), 0.5 * r.unit(), 0.2 * r.unit()};
      e += (0.1 + r.unit()) / reactor::points;
    }
  }
  std::vector<Material> material(reactor::materials);
  for (int m = 0; m < reactor::materials; ++m) {
    material[m].count = 3 + 17 * m / (reactor::materials - 1);
    for (int k = 0; k < reactor::nuclides; ++k) {
      material[m].nuclide[k] = int(r.below(reactor::nuclides));
      material[m].density[k] = r.unit();
    }
  }
  const auto energy = random_doubles(n, 2, 1e-3, 0.5);
  auto of = random_ints(n, 3, 12);
  for (int& m : of) m = std::max(0, m - 6);
  Macro* out = zoo.zeros<Macro>(n);
  nr_look_up_sections<<<(n + 127) / 128, 128>>>(zoo.upload(table), zoo.upload(material), zoo.upload(energy),
                                                zoo.upload(of), out, n);
  const auto want = [&](size_t i) {
    const Macro m = reactor::at_energy(table.data(), material[of[i / 3]], energy[i / 3]);
    return i % 3 == 0 ? m.total : i % 3 == 1 ? m.absorption : m.fission;
  };
  zoo.expect_each("nr_look_up_sections", (const double*)out, 3 * n, 31, want, 1e-9);
}

static void broaden_lines(Zoo& zoo) {
  const int n = 30000;
  const auto energy = random_floats(n, 4, 0.5f, 4);
  float* out = zoo.zeros<float>(n);
  nr_broaden_lines<<<66, 256>>>(zoo.upload(energy), out, n, 0.3f, 0.1f);
  const auto want = [&](size_t i) {
    const double v = sqrt(double(energy[i]));
    double sum = 0;
    for (int k = -15; k <= 15; ++k) {
      const double z = 0.25 * k, u = v + z * 0.1;
      if (u > 0) sum += exp(-z * z) / sqrt(u) / (1 + pow((u * u - 2) / 0.3, 2));
    }
    return sum * 0.25 * 0.56418958 + 1e-3 * erfc(v / 0.3);
  };
  zoo.expect_each("nr_broaden_lines", out, n, 53, want, 1e-3);
}

static void follow_neutrons(Zoo& zoo) {
  const int blocks = 160, each = 3, n = blocks * 128;
  const Slab s = {2.0f, 1.3f, 0.3f};
  auto* ends = zoo.zeros<unsigned long long>(3);
  float* deposited = zoo.zeros<float>(n);
  nr_follow_neutrons<<<blocks, 128>>>(s, ends, deposited, each);
  double want = 0;
  for (int id = 0; id < n; ++id)
    for (int k = 0; k < each; ++k) {
      float d;
      fate((id * 8ull + k) * 0x9e3779b97f4a7c15ull, s, d);
      want += d;
    }
  zoo.expect("nr_follow_neutrons", deposited, n, want, 1e-3);
}

static void burn_fuel(Zoo& zoo) {
  const int cells = 3000, steps = 12;
  Random r{5};
  Chain c;
  for (int i = 0; i < isotopes; ++i) {
    c.decay[i] = r.unit();
    c.capture[i] = 2 * r.unit();
    c.daughter[i] = i + 1 < isotopes ? i + 1 : -1;
    c.product[i] = r.below(4) ? int(r.below(isotopes)) : -1;
  }
  zoo.ok(cudaMemcpyToSymbol(fuel_chain, &c, sizeof c));
  const auto flux = random_doubles(cells, 6, 0.5, 2), start = random_doubles(isotopes * cells, 7);
  double* out = zoo.zeros<double>(isotopes * cells);
  nr_burn_fuel<<<(cells + 63) / 64, 64>>>(zoo.upload(flux), zoo.upload(start), out, cells, steps);
  const auto want = [&](size_t i) {
    double n[isotopes];
    for (int k = 0; k < isotopes; ++k) n[k] = start[k * cells + i % cells];
    burn(c, flux[i % cells], n, steps, 0.02);
    return n[i / cells];
  };
  zoo.expect_each("nr_burn_fuel", out, isotopes * cells, 97, want, 1e-9);
}

static void sweep_square(Zoo& zoo) {
  const int directions = 32, n = side * side;
  const auto source = random_floats(n, 8, 0, 2), sigma = random_floats(n, 9, 0.5f, 2);
  std::vector<float2> d(directions);
  for (int k = 0; k < directions; ++k)
    d[k] = make_float2(cosf(1.5f * (k + 1) / (directions + 1)), sinf(1.5f * (k + 1) / (directions + 1)));
  float* flux = zoo.zeros<float>(directions * n);
  nr_sweep_square<<<directions, side>>>(zoo.upload(source), zoo.upload(sigma), zoo.upload(d), flux);
  std::vector<double> all(directions * n);
  for (int k = 0; k < directions; ++k) {
    std::vector<double> below(side);
    for (int y = 0; y < side; ++y) {
      double left = 0;
      for (int x = 0; x < side; ++x) {
        const int i = y * side + x;
        const double psi = (source[i] + 2 * d[k].x * left + 2 * d[k].y * below[x]) /
                           (sigma[i] + 2 * (double(d[k].x) + d[k].y));
        left = 2 * psi - left;
        below[x] = 2 * psi - below[x];
        all[k * n + i] = psi;
      }
    }
  }
  zoo.expect_each(
      "nr_sweep_square", flux, directions * n, 11, [&](size_t i) { return all[i]; }, 1e-3);
}

static void iterate_power(Zoo& zoo) {
  int rounds = 10;
  const int blocks = 60, n = blocks * 256;
  float *a = zoo.zeros<float>(n), *b = zoo.zeros<float>(n), *partial = zoo.zeros<float>(blocks),
        *factor = zoo.zeros<float>(rounds);
  void* arguments[] = {&a, &b, &partial, &factor, &rounds};
  zoo.ok(
      cudaLaunchCooperativeKernel((void*)nr_iterate_power, dim3(blocks), dim3(256), arguments, 0, nullptr));
  std::vector<float> flux(n, 1.0f), next(n);
  for (int round = 0; round < rounds; ++round) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      sum += next[i] = next_flux(i ? flux[i - 1] : 0, flux[i], i < n - 1 ? flux[i + 1] : 0, i);
    for (int i = 0; i < n; ++i) flux[i] = float(next[i] / (sum / n));
  }
  zoo.expect_each(
      "nr_iterate_power", a, n, 13, [&](size_t i) { return flux[i]; }, 1e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("nr_look_up_sections")) look_up_sections(zoo);
  if (zoo.runs("nr_broaden_lines")) broaden_lines(zoo);
  if (zoo.runs("nr_follow_neutrons")) follow_neutrons(zoo);
  if (zoo.runs("nr_burn_fuel")) burn_fuel(zoo);
  if (zoo.runs("nr_sweep_square")) sweep_square(zoo);
  if (zoo.runs("nr_iterate_power")) iterate_power(zoo);
  return zoo.done();
}
