// Models of an epidemic: contacts that pass it on, visits counted by place and hour, outbreaks drawn event by
// event, regions as differential equations, the tree of who infected whom, and rates fitted to counts of
// cases.
#include <algorithm>

#include "zoo.cuh"

enum State : unsigned char { susceptible, infected, recovered };

__host__ __device__ inline unsigned scramble(unsigned x) {
  x ^= x >> 16;
  x *= 0x7feb352du;
  x ^= x >> 15;
  x *= 0x846ca68bu;
  return x ^ x >> 16;
}

// One day on a network of contacts. A person who can be infected asks all contacts until one passes it on;
// the new cases of a block are counted by votes.
__global__ void ep_pass_on(const int* first, const int* contact, const State* now, State* next,
                           unsigned* cases, int people, unsigned day, unsigned chance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  bool fell_ill = false;
  if (i < people) {
    State s = now[i];
    if (s == susceptible) {
      for (int e = first[i]; e < first[i + 1] && !fell_ill; ++e)
        fell_ill = now[contact[e]] == infected && scramble(e * 31u + day) < chance;
      if (fell_ill) s = infected;
    } else if (s == infected && scramble(i ^ day << 20) < 0x30000000u) {
      s = recovered;
    }
    next[i] = s;
  }
  const unsigned votes = __ballot_sync(~0u, fell_ill);
  if (votes && threadIdx.x % 32 == __ffs(votes) - 1) atomicAdd(cases, unsigned(__popc(votes)));
}

struct Outbreak {
  int size;
  float days;
};

struct Xorshift {
  unsigned long long s;
  __host__ __device__ unsigned next() {
    s ^= s << 13;
    s ^= s >> 7;
    s ^= s << 17;
    return unsigned(s >> 32);
  }
};

__host__ __device__ inline float log_of_unit(float x) {
#ifdef __CUDA_ARCH__
  return __logf(x);
#else
  return logf(x);
#endif
}

/// Gillespie's method: the time to the next event is exponential, infection or recovery by their rates, which
/// are integers here. Host and device draw the same events.
__host__ __device__ inline Outbreak run_outbreak(unsigned seed, int people, int infect, int recover) {
  Xorshift r = {0x9e3779b97f4a7c15ull * (seed + 1)};
  int s = people - 2, i = 2;
  float days = 0;
  while (i > 0) {
    const unsigned a = unsigned(infect * s * i), b = unsigned(recover * people * i), all = a + b;
    days -= log_of_unit((r.next() + 0.5f) * 2.3283064e-10f) * people * 8 / all;
    if (unsigned((unsigned long long)r.next() * all >> 32) < a) {
      --s;
      ++i;
    } else {
      --i;
    }
  }
  return {people - s, days};
}

// Outbreaks in small towns, one per thread: most die out at once, some go through the town.
__global__ void ep_draw_outbreaks(Outbreak* out, int n, int people, int infect, int recover) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = run_outbreak(unsigned(i), people, infect, recover);
}

constexpr int regions = 48;

struct Rates {
  double infect, onset, recover;
};

// Regions that mix, as equations of S, E, I and R: a block per scenario, a thread per region, in double
// precision. Runge-Kutta's four stages share the infected through shared memory.
__global__ void ep_integrate_regions(const double* mixing, const Rates* scenario, double* end, int steps,
                                     double dt) {
  __shared__ double mix[regions * regions];
  __shared__ double ill[regions];
  const int r = threadIdx.x;
  for (int k = r; k < regions * regions; k += regions) mix[k] = mixing[k];
  const Rates p = scenario[blockIdx.x];
  double s = 1 - 1e-3 * (r + 1), e = 0, i = 1e-3 * (r + 1);
  const double factor[4] = {0, 0.5, 0.5, 1};
  __syncthreads();
  for (int step = 0; step < steps; ++step) {
    double ks = 0, ke = 0, ki = 0, ds = 0, de = 0, di = 0;
#pragma unroll
    for (int stage = 0; stage < 4; ++stage) {
      const double f = factor[stage] * dt, us = s + f * ks, ue = e + f * ke, ui = i + f * ki;
      ill[r] = ui;
      __syncthreads();
      double force = 0;
      for (int k = 0; k < regions; ++k) force += mix[k * regions + r] * ill[k];
      __syncthreads();
      ks = -p.infect * us * force;
      ke = -ks - p.onset * ue;
      ki = p.onset * ue - p.recover * ui;
      const double share = stage == 0 || stage == 3 ? dt / 6 : dt / 3;
      ds += share * ks;
      de += share * ke;
      di += share * ki;
    }
    s += ds;
    e += de;
    i += di;
  }
  end[blockIdx.x * regions + r] = s;
}

// The last common source of two cases: both walk up the tree of infections by powers of two.
// up[k * n + i]: the ancestor of i that is 2^k steps above it.
template <int Levels>
__global__ void ep_common_sources(const int* up, const unsigned short* depth, const int2* pair, int* source,
                                  int n, int pairs) {
  for (int q = blockIdx.x * blockDim.x + threadIdx.x; q < pairs; q += gridDim.x * blockDim.x) {
    int a = pair[q].x, b = pair[q].y, da = depth[a], db = depth[b];
    if (da < db) {
      const int t = a;
      a = b;
      b = t;
    }
    int above = abs(da - db);
    while (above) {
      const int k = __ffs(above) - 1;
      a = up[k * n + a];
      above &= above - 1;
    }
    for (int k = Levels - 1; k >= 0 && a != b; --k) {
      const int ua = up[k * n + a], ub = up[k * n + b];
      if (ua != ub) {
        a = ua;
        b = ub;
      }
    }
    source[q] = a == b ? a : up[a];
  }
}

// The likelihood of a reproduction number and a dispersion: negative binomial counts. A thread per pair of a
// grid.
__global__ void __launch_bounds__(128)
    ep_fit_dispersion(const int2* day, int days, float* likelihood, int columns, int rows) {
  const int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
  if (x >= columns || y >= rows) return;
  const float reproduction = 0.5f + 0.02f * x, dispersion = 0.1f + 0.03f * y;
  float sum = 0;
  for (int d = 0; d < days; ++d) {
    const float count = day[d].y, mean = reproduction * day[d].x, k = dispersion * day[d].x;
    sum += lgammaf(count + k) - lgammaf(k) - lgammaf(count + 1) + k * logf(k / (k + mean)) +
           count * log1pf(-k / (k + mean));
  }
  likelihood[y * columns + x] = sum;
}

constexpr unsigned slots = 1u << 16;

// How many people were at a place in the same hour, in a hash table of (place, hour). The second launch finds
// the busiest hour of each place and leaves the table empty.
template <bool Drain>
__global__ void ep_count_visits(const unsigned* visit, unsigned* key, unsigned* count, unsigned* busiest,
                                int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (Drain) {
    if (i >= int(slots) || !key[i]) return;
    atomicMax(&busiest[key[i] >> 5], count[i]);
    key[i] = count[i] = 0;
    return;
  }
  if (i >= n) return;
  const unsigned k = visit[i];
  for (unsigned h = scramble(k) % slots;; h = (h + 1) % slots) {
    const unsigned there = atomicCAS(&key[h], 0u, k);
    if (there == 0 || there == k) {
      atomicAdd(&count[h], 1u);
      return;
    }
  }
}

static void count_visits(Zoo& zoo) {
  const int n = 80000, places = 1800;
  Random r{5};
  std::vector<unsigned> visit(n), seen(places * 32);
  std::vector<int> want(places);
  for (unsigned& v : visit) {
    const unsigned place = r.below(3) ? r.below(places) : r.below(12), hour = 1 + r.below(24);
    v = place << 5 | hour;
    want[place] = std::max(want[place], int(++seen[v]));
  }
  auto *key = zoo.zeros<unsigned>(slots), *count = zoo.zeros<unsigned>(slots),
       *busiest = zoo.zeros<unsigned>(places);
  const unsigned* in = zoo.upload(visit);
  ep_count_visits<false><<<(n + 127) / 128, 128>>>(in, key, count, busiest, n);
  ep_count_visits<true><<<slots / 256, 256>>>(in, key, count, busiest, n);
  zoo.expect_each(
      "ep_count_visits", busiest, places, 1, [&](size_t i) { return want[i]; }, 1e-12);
}

static void pass_on(Zoo& zoo) {
  const int people = 70000;
  Random r{1};
  std::vector<int> first{0}, contact;
  for (int i = 0; i < people; ++i) {
    const int own = r.below(20) ? 2 + int(r.below(12)) : 60 + int(r.below(60));
    for (int k = 0; k < own; ++k)
      contact.push_back(r.below(3) ? int((i + r.below(400)) % people) : int(r.below(1000)) * 70 % people);
    first.push_back(int(contact.size()));
  }
  std::vector<State> now(people), want(people);
  for (State& s : now) s = r.below(10) ? susceptible : r.below(2) ? infected : recovered;
  auto* next = zoo.zeros<State>(people);
  auto* cases = zoo.zeros<unsigned>(1);
  const unsigned day = 17, chance = 0x28000000u;
  ep_pass_on<<<(people + 255) / 256, 256>>>(zoo.upload(first), zoo.upload(contact), zoo.upload(now), next,
                                            cases, people, day, chance);
  unsigned ill = 0;
  for (int i = 0; i < people; ++i) {
    want[i] = now[i];
    bool hit = false;
    for (int e = first[i]; e < first[i + 1]; ++e)
      hit = hit || (now[contact[e]] == infected && scramble(e * 31u + day) < chance);
    if (now[i] == susceptible && hit) want[i] = infected;
    ill += now[i] == susceptible && hit;
    if (now[i] == infected && scramble(unsigned(i) ^ day << 20) < 0x30000000u) want[i] = recovered;
  }
  zoo.expect_each(
      "ep_pass_on", next, people, 1, [&](size_t i) { return want[i]; }, 1e-12);
  // A measured launch is replayed, and each adds its cases.
  const unsigned counted = zoo.download(cases, 1)[0];
  zoo.require("ep_pass_on", counted >= ill && counted % ill == 0, "the new cases are counted");
}

static void draw_outbreaks(Zoo& zoo) {
  const int n = 8192, people = 120, infect = 11, recover = 8;
  Outbreak* out = zoo.zeros<Outbreak>(n);
  ep_draw_outbreaks<<<n / 64, 64>>>(out, n, people, infect, recover);
  const auto got = zoo.download(out, n);
  double days = 0;
  bool right = true;
  for (int i = 0; i < n; ++i) {
    const Outbreak w = run_outbreak(unsigned(i), people, infect, recover);
    days += got[i].days;
    right = right && got[i].size == w.size && fabs(got[i].days - w.days) < 1e-3f * (1 + w.days);
  }
  printf("ep_draw_outbreaks %.7g\n", days);
  zoo.require("ep_draw_outbreaks", right, "each outbreak has its size and its days");
}

static void integrate_regions(Zoo& zoo) {
  const int scenarios = 40, steps = 12;
  const double dt = 0.5;
  auto mixing = random_doubles(regions * regions, 2, 0, 1.0 / regions);
  std::vector<Rates> scenario(scenarios);
  for (int k = 0; k < scenarios; ++k) scenario[k] = {0.4 + 0.02 * k, 0.3, 0.2 + 0.002 * k};
  double* end = zoo.zeros<double>(scenarios * regions);
  ep_integrate_regions<<<scenarios, regions>>>(zoo.upload(mixing), zoo.upload(scenario), end, steps, dt);
  std::vector<double> want;
  for (const Rates& p : scenario) {
    std::vector<double> y(3 * regions), k(3 * regions), u, sum;
    for (int r = 0; r < regions; ++r) {
      y[r] = 1 - 1e-3 * (r + 1);
      y[2 * regions + r] = 1e-3 * (r + 1);
    }
    for (int step = 0; step < steps; ++step) {
      sum = y;
      for (int stage = 0; stage < 4; ++stage) {
        u = y;
        for (int v = 0; v < 3 * regions; ++v) u[v] += stage == 0 ? 0 : (stage == 3 ? dt : dt / 2) * k[v];
        for (int r = 0; r < regions; ++r) {
          double force = 0;
          for (int o = 0; o < regions; ++o) force += mixing[o * regions + r] * u[2 * regions + o];
          k[r] = -p.infect * u[r] * force;
          k[regions + r] = -k[r] - p.onset * u[regions + r];
          k[2 * regions + r] = p.onset * u[regions + r] - p.recover * u[2 * regions + r];
        }
        for (int v = 0; v < 3 * regions; ++v) sum[v] += (stage % 3 ? 2 : 1) * dt / 6 * k[v];
      }
      y = sum;
    }
    want.insert(want.end(), y.begin(), y.begin() + regions);
  }
  zoo.expect_each(
      "ep_integrate_regions", end, want.size(), 1, [&](size_t i) { return want[i]; }, 1e-9);
}

static void common_sources(Zoo& zoo) {
  constexpr int levels = 12, n = 50000;
  const int pairs = 100000;
  Random r{3};
  std::vector<int> up(levels * n);
  std::vector<unsigned short> depth(n);
  for (int i = 1; i < n; ++i) {
    up[i] = std::max(0, i - 1 - int(r.below(60)));
    depth[i] = (unsigned short)(depth[up[i]] + 1);
  }
  for (int k = 1; k < levels; ++k)
    for (int i = 0; i < n; ++i) up[k * n + i] = up[(k - 1) * n + up[(k - 1) * n + i]];
  std::vector<int2> pair(pairs);
  for (int2& p : pair) p = make_int2(int(r.below(n)), int(r.below(n)));
  int* source = zoo.zeros<int>(pairs);
  ep_common_sources<levels>
      <<<196, 256>>>(zoo.upload(up), zoo.upload(depth), zoo.upload(pair), source, n, pairs);
  const auto want = [&](size_t q) {
    int a = pair[q].x, b = pair[q].y;
    while (a != b) (a > b ? a : b) = up[std::max(a, b)];
    return a;
  };
  zoo.expect_each("ep_common_sources", source, pairs, 37, want, 1e-12);
}

static void fit_dispersion(Zoo& zoo) {
  const int columns = 90, rows = 60, days = 30;
  Random r{4};
  std::vector<int2> day(days);
  for (int2& d : day) d = make_int2(1 + int(r.below(40)), int(r.below(60)));
  float* likelihood = zoo.zeros<float>(columns * rows);
  ep_fit_dispersion<<<dim3((columns + 15) / 16, (rows + 7) / 8), dim3(16, 8)>>>(zoo.upload(day), days,
                                                                                likelihood, columns, rows);
  const auto want = [&](size_t i) {
    double sum = 0;
    for (const int2& d : day) {
      const double mean = (0.5 + 0.02 * double(i % columns)) * d.x,
                   k = (0.1 + 0.03 * double(i / columns)) * d.x;
      sum += lgamma(d.y + k) - lgamma(k) - lgamma(d.y + 1.0) + k * log(k / (k + mean)) +
             d.y * log(mean / (k + mean));
    }
    return sum;
  };
  zoo.expect_each("ep_fit_dispersion", likelihood, columns * rows, 1, want, 1e-3);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ep_pass_on")) pass_on(zoo);
  if (zoo.runs("ep_count_visits")) count_visits(zoo);
  if (zoo.runs("ep_draw_outbreaks")) draw_outbreaks(zoo);
  if (zoo.runs("ep_integrate_regions")) integrate_regions(zoo);
  if (zoo.runs("ep_common_sources")) common_sources(zoo);
  if (zoo.runs("ep_fit_dispersion")) fit_dispersion(zoo);
  return zoo.done();
}
