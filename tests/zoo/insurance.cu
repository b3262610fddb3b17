// What insurers compute: the losses of years of catastrophes, bonds that may be called, policies month by
// month, and how many debtors fail together.
#include "zoo.cuh"

constexpr int tables = 5;

struct Terms {
  float keep, most, year_keep, year_most;
};

__constant__ Terms cover[tables];

__host__ __device__ inline float between(float loss, float keep, float most) {
  return fminf(fmaxf(loss - keep, 0.0f), most);
}

// A year per thread: each of its events has a loss in five tables, by direct look-up; the cover's terms hold
// per event and per year.
__global__ void is_year_losses(const int* start, const int* event, const float* table, int events,
                               float2* loss, int years) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;
  if (y >= years) return;
  float sum[tables] = {}, largest = 0;
  for (int k = start[y]; k < start[y + 1]; ++k) {
    const int e = event[k];
    float one = 0;
#pragma unroll
    for (int t = 0; t < tables; ++t) {
      const float paid = between(table[size_t(t) * events + e], cover[t].keep, cover[t].most);
      sum[t] += paid;
      one += paid;
    }
    largest = fmaxf(largest, one);
  }
  float all = 0;
#pragma unroll
  for (int t = 0; t < tables; ++t) all += between(sum[t], cover[t].year_keep, cover[t].year_most);
  loss[y] = make_float2(all, largest);
}

constexpr int widest = 160;

struct Bond {
  int steps, first_call;
  double coupon, call, rate, spread, pull;
};

// Bonds that their issuer may call, by a trinomial lattice of short rates. A block per bond; its prices are
// in shared memory, a step back in time at a time.
__global__ void __launch_bounds__(widest) is_call_bonds(const Bond* bond, double* price) {
  __shared__ double value[2][2 * widest + 1];
  const Bond b = bond[blockIdx.x];
  for (int k = threadIdx.x; k <= 2 * b.steps; k += blockDim.x) value[b.steps & 1][k] = 1 + b.coupon;
  __syncthreads();
  for (int step = b.steps - 1; step >= 0; --step) {
    const double* from = value[!(step & 1)];
    double* to = value[step & 1];
    for (int k = threadIdx.x; k <= 2 * step; k += blockDim.x) {
      const double j = k - step, drift = b.pull * j;
      const double up = 1.0 / 6 + (drift * drift - drift) / 2, down = 1.0 / 6 + (drift * drift + drift) / 2;
      const double rate = b.rate + b.spread * j, discount = exp(-rate);
      double v = discount * (up * from[k + 2] + (1 - up - down) * from[k + 1] + down * from[k]);
      if (step >= b.first_call && v > b.call) v = b.call;
      to[k] = step ? v + b.coupon : v;
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) price[blockIdx.x] = value[0][0];
}

struct Policy {
  unsigned char age, smoker;
  unsigned short months;
  float sum, premium, fund;
};

__constant__ float death[2][128];  // Per month, by smoker and age.

__host__ __device__ inline float present_value(const Policy& p, const float (*rate)[128],
                                               const float* yields) {
  float alive = 1, value = 0, discount = 1, fund = p.fund;
  for (int m = 0; m < p.months && alive > 1e-4f; ++m) {
    const int age = p.age + m / 12;
    const float q = rate[p.smoker][age < 127 ? age : 127], grown = yields[m % 360];
    discount /= 1 + grown;
    fund = (fund + p.premium) * (1 + 0.8f * grown);
    const float paid = fmaxf(p.sum, fund);
    value += discount * alive * (q * paid - p.premium);
    const float leave = fund > p.sum ? 0.012f : m < 24 ? 0.008f : 0.003f;
    value += discount * alive * (1 - q) * leave * 0.95f * fund;
    alive *= (1 - q) * (1 - leave);
  }
  return value + discount * alive * fund;
}

// What policies will cost, month by month until they end. A thread per policy; their terms differ widely.
__global__ void is_run_policies(const Policy* policy, const float* yields, float* value, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) value[i] = present_value(policy[i], death, yields);
}

constexpr int classes = 8, loss_bins = 512;

struct Debtor {
  int rating, exposure;
};

__host__ __device__ inline unsigned mixed(unsigned x) {
  x ^= x >> 16;
  x *= 0x21f0aaadu;
  x ^= x >> 15;
  x *= 0x735a2d97u;
  return x ^ x >> 15;
}

// Debtors who fail together: one factor per scenario sets how likely each rating fails. Losses are counted in
// shared memory.
__global__ void is_count_defaults(const Debtor* debtors, const float* threshold, unsigned* losses, int n,
                                  int scenarios, float tied) {
  extern __shared__ Debtor debtor[];
  __shared__ unsigned count[loss_bins];
  for (int k = threadIdx.x; k < n; k += blockDim.x) debtor[k] = debtors[k];
  for (int k = threadIdx.x; k < loss_bins; k += blockDim.x) count[k] = 0;
  __syncthreads();
  const int s = blockIdx.x * blockDim.x + threadIdx.x;
  if (s < scenarios) {
    const float factor = normcdfinvf((mixed(s) >> 8) / 16777216.0f + 3e-8f);
    unsigned chance[classes];
    for (int c = 0; c < classes; ++c)
      chance[c] =
          unsigned(4294967040.0f * normcdff((threshold[c] - tied * factor) * rsqrtf(1 - tied * tied)));
    int loss = 0;
    for (int k = 0; k < n; ++k)
      if (mixed(s * 4099u + k + 77777777u) < chance[debtor[k].rating]) loss += debtor[k].exposure;
    atomicAdd(&count[min(loss / 16, loss_bins - 1)], 1u);
  }
  __syncthreads();
  for (int k = threadIdx.x; k < loss_bins; k += blockDim.x)
    if (count[k]) atomicAdd(&losses[k], count[k]);
}

static void year_losses(Zoo& zoo) {
  const int years = 24000, events = 50000;
  Random r{1};
  std::vector<int> start{0}, event;
  for (int y = 0; y < years; ++y) {
    for (int k = 20 + int(r.below(60)); k > 0; --k) event.push_back(int(r.below(events)));
    start.push_back(int(event.size()));
  }
  std::vector<float> table(size_t(tables) * events);
  for (float& t : table) t = r.below(3) ? 0 : 1 / (r.unit() + 0.01f);
  Terms terms[tables];
  for (int t = 0; t < tables; ++t) terms[t] = {1.0f + t, 20.0f + 5 * t, 5.0f * t, 100 - 10.0f * t};
  zoo.ok(cudaMemcpyToSymbol(cover, terms, sizeof terms));
  float2* loss = zoo.zeros<float2>(years);
  is_year_losses<<<(years + 127) / 128, 128>>>(zoo.upload(start), zoo.upload(event), zoo.upload(table),
                                               events, loss, years);
  const auto want = [&](size_t i) {
    double all = 0, largest = 0, sum[tables] = {};
    for (int k = start[i / 2]; k < start[i / 2 + 1]; ++k) {
      double one = 0;
      for (int t = 0; t < tables; ++t) {
        const double paid = between(table[size_t(t) * events + event[k]], terms[t].keep, terms[t].most);
        sum[t] += paid;
        one += paid;
      }
      largest = fmax(largest, one);
    }
    for (int t = 0; t < tables; ++t)
      all += fmin(fmax(sum[t] - terms[t].year_keep, 0), double(terms[t].year_most));
    return i % 2 ? largest : all;
  };
  zoo.expect_each("is_year_losses", (const float*)loss, 2 * years, 37, want, 1e-4);
}

static void call_bonds(Zoo& zoo) {
  const int n = 190;
  std::vector<Bond> bond(n);
  Random r{2};
  for (Bond& b : bond) {
    const int steps = 20 + int(r.below(widest - 20));
    b = {steps,
         int(r.below(unsigned(steps))),
         0.01 + 0.02 * r.unit(),
         1 + 0.05 * r.unit(),
         0.02,
         0.0004 * r.unit(),
         0.002};
  }
  double* price = zoo.zeros<double>(n);
  is_call_bonds<<<n, widest>>>(zoo.upload(bond), price);
  const auto want = [&](size_t i) {
    const Bond& b = bond[i];
    std::vector<double> value(2 * b.steps + 1, 1 + b.coupon);
    for (int step = b.steps - 1; step >= 0; --step)
      for (int k = 0; k <= 2 * step; ++k) {
        const double m = b.pull * (k - step), up = 1.0 / 6 + (m * m - m) / 2, down = up + m;
        double v = up * value[k + 2] + (1 - up - down) * value[k + 1] + down * value[k];
        v *= exp(-(b.rate + b.spread * (k - step)));
        if (step >= b.first_call) v = fmin(v, b.call);
        value[k] = v + (step ? b.coupon : 0);
      }
    return value[0];
  };
  zoo.expect_each("is_call_bonds", price, n, 1, want, 1e-9);
}

static void run_policies(Zoo& zoo) {
  const int n = 20000;
  std::vector<Policy> policy(n);
  Random r{3};
  for (Policy& p : policy) {
    const int years = 1 + int(r.below(8) ? r.below(15) : r.below(35));
    p = {(unsigned char)(20 + r.below(50)),
         (unsigned char)(r.below(4) == 0),
         (unsigned short)(12 * years - 5),
         10000 + 90000 * r.unit(),
         50 + 400 * r.unit(),
         20000 * r.unit()};
  }
  float rate[2][128];
  for (int a = 0; a < 128; ++a)
    for (int s = 0; s < 2; ++s) rate[s][a] = fminf(0.00002f * (1 + s) * expf(0.09f * a), 0.5f) / 12 + 1e-5f;
  const auto yields = random_floats(360, 4, 0.001f, 0.004f);
  zoo.ok(cudaMemcpyToSymbol(death, rate, sizeof rate));
  float* value = zoo.zeros<float>(n);
  is_run_policies<<<(n + 127) / 128, 128>>>(zoo.upload(policy), zoo.upload(yields), value, n);
  zoo.expect_each(
      "is_run_policies", value, n, 31,
      [&](size_t i) { return present_value(policy[i], rate, yields.data()); }, 2e-3);
}

static void count_defaults(Zoo& zoo) {
  const int n = 300, scenarios = 18000;
  const float tied = 0.45f;
  std::vector<Debtor> debtor(n);
  std::vector<float> threshold(classes);
  Random r{5};
  for (Debtor& d : debtor) d = {int(r.below(classes)), 1 + int(r.below(60))};
  for (int c = 0; c < classes; ++c) threshold[c] = -3.0f + 0.25f * c;
  unsigned* losses = zoo.zeros<unsigned>(loss_bins);
  is_count_defaults<<<(scenarios + 127) / 128, 128, n * sizeof(Debtor)>>>(
      zoo.upload(debtor), zoo.upload(threshold), losses, n, scenarios, tied);
  zoo.expect("is_count_defaults", losses, loss_bins, scenarios, 1e-12);
  // The mean loss is what each debtor alone would cost.
  double want = 0, mean = 0;
  for (const Debtor& d : debtor) want += d.exposure * 0.5 * erfc(-threshold[d.rating] / sqrt(2.0));
  const auto got = zoo.download(losses, loss_bins);
  for (int k = 0; k < loss_bins; ++k) mean += (k * 16 + (k ? 7.5 : 4)) * got[k] / scenarios;
  zoo.require("is_count_defaults", fabs(mean - want) < 0.06 * want,
              "the mean loss is that of single debtors");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("is_year_losses")) year_losses(zoo);
  if (zoo.runs("is_call_bonds")) call_bonds(zoo);
  if (zoo.runs("is_run_policies")) run_policies(zoo);
  if (zoo.runs("is_count_defaults")) count_defaults(zoo);
  return zoo.done();
}
