// The work of a grid's operator: power flows, failures of plants drawn at random, which plants run tomorrow,
// feeders of houses, and the phase of a voltage in a window that slides.
#include <cooperative_groups.h>
#include <cooperative_groups/scan.h>

#include <algorithm>
#include <complex>

#include "zoo.cuh"

namespace cg = cooperative_groups;

struct Line {
  int to;
  double conductance, susceptance;
};

// What is missing from the balance of each bus: active and reactive power, by the angles of its neighbours.
__global__ void pg_balance_buses(const int* __restrict__ first, const Line* __restrict__ line,
                                 const double2* __restrict__ voltage, const double2* __restrict__ demand,
                                 double2* __restrict__ mismatch, int buses) {
  const int b = blockIdx.x * blockDim.x + threadIdx.x;
  if (b >= buses) return;
  const double2 here = voltage[b];  // Magnitude and angle.
  double p = demand[b].x, q = demand[b].y;
  for (int e = first[b], end = first[b + 1]; e != end; ++e) {
    const Line l = line[e];
    const double2 there = voltage[l.to];
    double s, c;
    sincos(here.y - there.y, &s, &c);
    const double v = here.x * there.x;
    p -= v * (l.conductance * c + l.susceptance * s);
    q -= v * (l.conductance * s - l.susceptance * c);
  }
  mismatch[b] = make_double2(p, q);
}

constexpr int plants = 48;

__host__ __device__ inline unsigned step(unsigned& s) { return s = s * 747796405u + 2891336453u; }

__host__ __device__ inline unsigned output(unsigned s) {
  s = ((s >> ((s >> 28) + 4)) ^ s) * 277803737u;
  return s >> 22 ^ s;
}

/// Which plants run: each bit is set with the chance 1 - 2^-3 or 1 - 2^-4, made of random words combined bit
/// by bit.
__host__ __device__ inline unsigned long long running(unsigned& s) {
  unsigned word[8];
  for (unsigned& w : word) w = output(step(s));
  const unsigned low = word[0] | word[1] | word[2], high = word[3] | word[4] | word[5] | word[6];
  return (unsigned long long)(high & 0xffff) << 32 | low;
}

// Monte Carlo of a year's hours: how often the plants that run fall short of the demand, and by how much. A
// table has the power of every eight plants.
__global__ void pg_draw_outages(const unsigned short* table, const unsigned short* demand, int hours,
                                int samples, unsigned long long* short_of, unsigned* times) {
  __shared__ unsigned short power[plants / 8][256];
  for (int i = threadIdx.x; i < plants / 8 * 256; i += blockDim.x) (&power[0][0])[i] = table[i];
  __syncthreads();
  unsigned missing = 0, count = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < samples; i += gridDim.x * blockDim.x) {
    unsigned s = i * 2654435761u + 12345u;
    const unsigned long long on = running(s);
    int available = 0;
#pragma unroll
    for (int g = 0; g < plants / 8; ++g) available += power[g][on >> (8 * g) & 255];
    const int gap = demand[output(step(s)) % hours] - available;
    missing += max(gap, 0);
    count += gap > 0;
  }
  missing = __reduce_add_sync(~0u, missing);
  count = __reduce_add_sync(~0u, count);
  if (threadIdx.x % 32 == 0) {
    atomicAdd(short_of, (unsigned long long)missing);
    atomicAdd(times, count);
  }
}

constexpr int units = 8, states = 1 << units;

// Which units run in each hour, at the least cost: dynamic programming over all 256 combinations, in one
// block. Two units at most change per hour, and a start costs.
__global__ void __launch_bounds__(states, 1) pg_commit_units(const float* hour_cost, const float* start_cost,
                                                             float* total, unsigned char* choice, int hours) {
  __shared__ float cost[2][states];
  __shared__ float start[units];
  const int s = threadIdx.x;
  if (s < units) start[s] = start_cost[s];
  cost[0][s] = s == 0 ? 0.0f : 1e9f;
  __syncthreads();
  for (int h = 0; h < hours; ++h) {
    const float* from = cost[h & 1];
    float best = from[s];
    int who = s;
    for (int a = 0; a < units; ++a) {
      const int one = s ^ 1 << a;
      const float by_one = s >> a & 1 ? start[a] : 0.0f;
      if (from[one] + by_one < best) {
        best = from[one] + by_one;
        who = one;
      }
      for (int b = a + 1; b < units; ++b) {
        const int two = one ^ 1 << b;
        const float c = from[two] + by_one + (s >> b & 1 ? start[b] : 0.0f);
        if (c < best) {
          best = c;
          who = two;
        }
      }
    }
    cost[~h & 1][s] = best + hour_cost[h * states + s];
    choice[h * states + s] = (unsigned char)who;
    __syncthreads();
  }
  total[s] = cost[hours & 1][s];
}

constexpr int houses = 127, depth = 7;  // A binary tree below the transformer.

// The voltages along feeders, a block per feeder: currents are summed from the houses to the transformer,
// then voltages fall from there to the houses, for some rounds.
__global__ void pg_sweep_feeders(const float2* load, const float2* impedance, float2* voltage, int rounds) {
  __shared__ float2 v[houses], current[houses];
  const int t = threadIdx.x;
  const bool is_house = t < houses;
  const int level = 31 - __clz(t + 1);
  float2 s = make_float2(0, 0), z = s;
  if (is_house) {
    s = load[blockIdx.x * houses + t];
    z = impedance[blockIdx.x * houses + t];
    v[t] = make_float2(1, 0);
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (is_house) {
      const float scale = 1 / (v[t].x * v[t].x + v[t].y * v[t].y);  // The conjugate of load over voltage.
      current[t] = make_float2((s.x * v[t].x + s.y * v[t].y) * scale, (s.x * v[t].y - s.y * v[t].x) * scale);
    }
    __syncthreads();
    for (int l = depth - 2; l >= 0; --l) {
      if (is_house && level == l) {
        current[t].x += current[2 * t + 1].x + current[2 * t + 2].x;
        current[t].y += current[2 * t + 1].y + current[2 * t + 2].y;
      }
      __syncthreads();
    }
    for (int l = 0; l < depth; ++l) {
      if (is_house && level == l) {
        const float2 above = t ? v[(t - 1) / 2] : make_float2(1.02f, 0);
        v[t] = make_float2(above.x - (z.x * current[t].x - z.y * current[t].y),
                           above.y - (z.x * current[t].y + z.y * current[t].x));
      }
      __syncthreads();
    }
  }
  if (is_house) voltage[blockIdx.x * houses + t] = v[t];
}

constexpr int cycle = 64, window_samples = 512;

// The phasor of a voltage over the last 64 samples, for each sample: the difference of two prefix sums. A
// block has 512 samples of one channel and the 64 before them, two per thread.
__global__ void pg_slide_phasors(const float* sample, float2* phasor, int length) {
  __shared__ float2 sum[cycle + window_samples];
  __shared__ float2 total[9];
  const auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int t = threadIdx.x, w = t / 32, first = blockIdx.x * window_samples;
  const float* channel = sample + size_t(blockIdx.y) * (length + cycle);
  float2 a, b;
  __sincosf(6.2831853f / cycle * (2 * t % cycle), &a.y, &a.x);
  __sincosf(6.2831853f / cycle * ((2 * t + 1) % cycle), &b.y, &b.x);
  const float2 x = *(const float2*)&channel[first + 2 * t];
  a = make_float2(a.x * x.x, -a.y * x.x);
  b = make_float2(b.x * x.y, -b.y * x.y);
  const float re = cg::inclusive_scan(warp, a.x + b.x), im = cg::inclusive_scan(warp, a.y + b.y);
  if (warp.thread_rank() == 31) total[w] = make_float2(re, im);
  __syncthreads();
  float2 before = make_float2(0, 0);
  for (int k = 0; k < w; ++k) before = make_float2(before.x + total[k].x, before.y + total[k].y);
  sum[2 * t + 1] = make_float2(before.x + re, before.y + im);
  sum[2 * t] = make_float2(before.x + re - b.x, before.y + im - b.y);
  __syncthreads();
  for (int i = t; i < window_samples; i += blockDim.x) {
    const float2 high = sum[i + cycle], low = sum[i];
    phasor[size_t(blockIdx.y) * length + first + i] =
        make_float2((high.x - low.x) * (2.0f / cycle), (high.y - low.y) * (2.0f / cycle));
  }
}

static void balance_buses(Zoo& zoo) {
  const int buses = 9000;
  Random r{1};
  std::vector<int> first{0};
  std::vector<Line> line;
  for (int b = 0; b < buses; ++b) {
    for (int k = int(2 + r.below(3) + (r.below(30) ? 0 : r.below(20))); k > 0; --k)
      line.push_back(
          {int(r.below(4) ? (b + r.below(60)) % buses : r.below(buses)), r.unit(), -5.0 - r.unit()});
    first.push_back(int(line.size()));
  }
  std::vector<double2> voltage(buses), demand(buses);
  for (double2& v : voltage) v = make_double2(0.95 + 0.1 * r.unit(), 0.6 * r.unit() - 0.3);
  for (double2& d : demand) d = make_double2(r.unit(), r.unit());
  double2* mismatch = zoo.zeros<double2>(buses);
  pg_balance_buses<<<(buses + 127) / 128, 128>>>(zoo.upload(first), zoo.upload(line), zoo.upload(voltage),
                                                 zoo.upload(demand), mismatch, buses);
  const auto want = [&](size_t i) {
    const size_t b = i / 2;
    std::complex<double> s(demand[b].x, demand[b].y);
    for (int e = first[b]; e < first[b + 1]; ++e)
      s -= std::polar(voltage[b].x * voltage[line[e].to].x, voltage[b].y - voltage[line[e].to].y) *
           std::complex<double>(line[e].conductance, -line[e].susceptance);
    return i % 2 ? s.imag() : s.real();
  };
  zoo.expect_each("pg_balance_buses", (const double*)mismatch, 2 * buses, 1, want, 1e-9);
}

static void draw_outages(Zoo& zoo) {
  const int hours = 8760, samples = 150000;
  Random r{2};
  std::vector<unsigned short> table(plants / 8 * 256), demand(hours);
  for (int g = 0; g < plants / 8; ++g) {
    int size[8];
    for (int& s : size) s = 20 + int(r.below(200));
    for (int m = 0; m < 256; ++m)
      for (int k = 0; k < 8; ++k) table[g * 256 + m] += (unsigned short)(m >> k & 1 ? size[k] : 0);
  }
  for (auto& d : demand) d = (unsigned short)(3000 + r.below(2400));
  auto* short_of = zoo.zeros<unsigned long long>(1);
  auto* times = zoo.zeros<unsigned>(1);
  pg_draw_outages<<<132, 256>>>(zoo.upload(table), zoo.upload(demand), hours, samples, short_of, times);
  double want = 0;
  for (int i = 0; i < samples; ++i) {
    unsigned s = unsigned(i) * 2654435761u + 12345u;
    const unsigned long long on = running(s);
    int available = 0;
    for (int g = 0; g < plants / 8; ++g) available += table[g * 256 + (on >> (8 * g) & 255)];
    want += std::max(0, demand[output(step(s)) % hours] - available);
  }
  zoo.expect("pg_draw_outages", short_of, 1, want, 1e-12);
}

static void commit_units(Zoo& zoo) {
  const int hours = 48;
  const auto hour_cost = random_floats(hours * states, 3, 10, 60),
             start_cost = random_floats(units, 4, 2, 25);
  float* total = zoo.zeros<float>(states);
  auto* choice = zoo.zeros<unsigned char>(hours * states);
  pg_commit_units<<<1, states>>>(zoo.upload(hour_cost), zoo.upload(start_cost), total, choice, hours);
  std::vector<double> cost(states, 1e9), next(states);
  cost[0] = 0;
  for (int h = 0; h < hours; ++h) {
    for (int s = 0; s < states; ++s) {
      double best = 1e18;
      for (int from = 0; from < states; ++from) {
        double c = cost[from];
        int changes = 0;
        for (int k = 0; k < units; ++k) {
          changes += (from ^ s) >> k & 1;
          if ((s & ~from) >> k & 1) c += start_cost[k];
        }
        if (changes < 3) best = std::min(best, c);
      }
      next[s] = best + hour_cost[h * states + s];
    }
    cost = next;
  }
  zoo.expect_each(
      "pg_commit_units", total, states, 1, [&](size_t s) { return cost[s]; }, 1e-4);
}

static void sweep_feeders(Zoo& zoo) {
  const int feeders = 500, n = feeders * houses, rounds = 6;
  Random r{5};
  std::vector<float2> load(n), impedance(n);
  for (float2& s : load) s = make_float2(0.004f * r.unit(), 0.002f * r.unit());
  for (float2& z : impedance) z = make_float2(0.05f * r.unit(), 0.05f * r.unit());
  float2* voltage = zoo.zeros<float2>(n);
  pg_sweep_feeders<<<feeders, 128>>>(zoo.upload(load), zoo.upload(impedance), voltage, rounds);
  std::vector<std::complex<double>> v(n, 1), current(n);
  for (int round = 0; round < rounds; ++round)
    for (int f = 0; f < n; f += houses) {
      for (int t = houses - 1; t >= 0; --t) {
        current[f + t] = std::conj(std::complex<double>(load[f + t].x, load[f + t].y) / v[f + t]);
        if (2 * t + 2 < houses) current[f + t] += current[f + 2 * t + 1] + current[f + 2 * t + 2];
      }
      for (int t = 0; t < houses; ++t)
        v[f + t] = (t ? v[f + (t - 1) / 2] : 1.02) -
                   std::complex<double>(impedance[f + t].x, impedance[f + t].y) * current[f + t];
    }
  const auto want = [&](size_t i) { return i % 2 ? v[i / 2].imag() : v[i / 2].real(); };
  zoo.expect_each("pg_sweep_feeders", (const float*)voltage, 2 * n, 1, want, 1e-4);
}

static void slide_phasors(Zoo& zoo) {
  const int channels = 24, windows = 16, length = windows * window_samples;
  auto sample = random_floats(size_t(channels) * (length + cycle), 6, -0.1f, 0.1f);
  for (size_t i = 0; i < sample.size(); ++i) sample[i] += float(sin(i * (2 * M_PI / cycle * 1.01)));
  float2* phasor = zoo.zeros<float2>(channels * length);
  pg_slide_phasors<<<dim3(windows, channels), (window_samples + cycle) / 2>>>(zoo.upload(sample), phasor,
                                                                              length);
  const auto want = [&](size_t i) {
    const size_t o = i / 2 % length, c = i / 2 / length;
    std::complex<double> sum = 0;
    for (size_t k = o + 1; k <= o + cycle; ++k)
      sum += double(sample[c * (length + cycle) + k]) *
             std::polar(2.0 / cycle, -2 * M_PI / cycle * double(k % cycle));
    return i % 2 ? sum.imag() : sum.real();
  };
  zoo.expect_each("pg_slide_phasors", (const float*)phasor, 2 * channels * length, 59, want, 1e-4);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("pg_balance_buses")) balance_buses(zoo);
  if (zoo.runs("pg_draw_outages")) draw_outages(zoo);
  if (zoo.runs("pg_commit_units")) commit_units(zoo);
  if (zoo.runs("pg_sweep_feeders")) sweep_feeders(zoo);
  if (zoo.runs("pg_slide_phasors")) slide_phasors(zoo);
  return zoo.done();
}
