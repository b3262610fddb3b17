// Prices of options: trees, a root in double precision, a quasi-random mean, and closed forms with fast
// functions.
#include "zoo.cuh"

// An American put on a binomial tree: a block per option, a node per thread.
__global__ void fi_binomial_trees(const float* strike, float* price, int steps, float up, float probability,
                                  float discount) {
  extern __shared__ float value[];
  const int t = threadIdx.x;
  const float k = strike[blockIdx.x];
  if (t <= steps) value[t] = fmaxf(k - 100 * powf(up, float(2 * t - steps)), 0);
  __syncthreads();
  for (int step = steps - 1; step >= 0; --step) {
    float kept = 0;
    if (t <= step) {
      const float spot = 100 * powf(up, float(2 * t - step));
      kept = discount * (probability * value[t + 1] + (1 - probability) * value[t]);
      kept = fmaxf(kept, k - spot);
    }
    __syncthreads();
    if (t <= step) value[t] = kept;
    __syncthreads();
  }
  if (t == 0) price[blockIdx.x] = value[0];
}

__host__ __device__ double normal(double x) { return 0.5 * erfc(-x * 0.70710678118654752); }

__host__ __device__ double call_price(double spot, double strike, double years, double volatility) {
  const double wide = volatility * sqrt(years), d = log(spot / strike) / wide + 0.5 * wide;
  return spot * normal(d) - strike * normal(d - wide);
}

// Newton's iteration for the volatility that explains a price.
__global__ void fi_implied_volatility(const double* price, const double* strike, const double* years,
                                      double* volatility, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double k = strike[i], y = years[i];
  double v = 0.3;
  for (int round = 0; round < 12; ++round) {
    const double error = call_price(100, k, y, v) - price[i];
    if (fabs(error) < 1e-9) break;
    const double wide = v * sqrt(y), d = log(100 / k) / wide + 0.5 * wide;
    v -= error / (100 * sqrt(y) * 0.3989422804014327 * exp(-0.5 * d * d));
  }
  volatility[i] = v;
}

__constant__ unsigned direction[8][16];

// An Asian option by Sobol's sequence: eight dates per path, the inverse of the normal distribution.
__global__ void fi_sobol_asian(float* payoff, float strike, float drift, float spread, int paths) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= paths) return;
  const unsigned gray = (i + 1) ^ (i + 1) >> 1;
  float logarithm = 0, mean = 0;
  for (int date = 0; date < 8; ++date) {
    unsigned point = 0;
    for (int bit = 0; bit < 16; ++bit)
      if (gray >> bit & 1) point ^= direction[date][bit];
    const float uniform = (point + 0.5f) * (1.0f / 65536);
    logarithm += drift + spread * normcdfinvf(uniform);
    mean += expf(logarithm);
  }
  payoff[i] = fmaxf(100 * mean / 8 - strike, 0);
}

__device__ float fast_normal(float x) {
  const float t = __fdividef(1.0f, 1 + 0.2316419f * fabsf(x));
  const float tail =
      0.39894228f * __expf(-0.5f * x * x) * t *
      (0.31938153f + t * (-0.35656378f + t * (1.7814779f + t * (-1.8212559f + t * 1.3302744f))));
  return x > 0 ? 1 - tail : tail;
}

// Black and Scholes' prices of calls and puts with the fast functions.
__global__ void fi_fast_prices(const float* spot, const float* strike, const float* years, float rate,
                               float volatility, float* call, float* put, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float s = spot[i], k = strike[i], y = years[i], wide = volatility * sqrtf(y);
  const float d = __fdividef(__logf(__fdividef(s, k)) + (rate + 0.5f * volatility * volatility) * y, wide);
  const float present = k * __expf(-rate * y), a = fast_normal(d), b = fast_normal(d - wide);
  call[i] = s * a - present * b;
  put[i] = present * (1 - b) - s * (1 - a);
}

// Sobol's direction numbers by Joe and Kuo's polynomials, to 16 bits.
std::vector<unsigned> directions() {
  const int degree[8] = {0, 1, 2, 3, 3, 4, 4, 5}, terms[8] = {0, 0, 1, 1, 2, 1, 4, 2};
  const unsigned start[8][5] = {{},        {1},          {1, 3},        {1, 3, 1},
                                {1, 1, 1}, {1, 1, 3, 3}, {1, 3, 5, 13}, {1, 1, 5, 5, 17}};
  std::vector<unsigned> all;
  for (int d = 0; d < 8; ++d) {
    unsigned v[16];
    const int s = degree[d];
    for (int k = 0; k < 16; ++k) {
      if (k < s || d == 0) {
        v[k] = (d == 0 ? 1 : start[d][k]) << (15 - k);
        continue;
      }
      v[k] = v[k - s] ^ v[k - s] >> s;
      for (int j = 1; j < s; ++j)
        if (terms[d] >> (s - 1 - j) & 1) v[k] ^= v[k - j];
    }
    all.insert(all.end(), v, v + 16);
  }
  return all;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("fi_binomial_trees")) {
    const int options = 36, steps = 120;
    const float up = expf(0.3f / sqrtf(float(steps))), rise = expf(0.03f / steps);
    float* price = zoo.zeros<float>(options);
    fi_binomial_trees<<<options, 128, (steps + 1) * sizeof(float)>>>(
        zoo.upload(random_floats(options, 1, 80, 120)), price, steps, up, (rise - 1 / up) / (up - 1 / up),
        1 / rise);
    zoo.show("fi_binomial_trees", price, options);
  }
  if (zoo.runs("fi_implied_volatility")) {
    const int n = 6000;
    const auto strike = random_doubles(n, 2, 85, 115), years = random_doubles(n, 3, 0.5, 2),
               volatility = random_doubles(n, 4, 0.15, 0.5);
    std::vector<double> price(n);
    double want = 0;
    for (int i = 0; i < n; ++i) {
      price[i] = call_price(100, strike[i], years[i], volatility[i]);
      want += volatility[i];
    }
    double* found = zoo.zeros<double>(n);
    fi_implied_volatility<<<(n + 127) / 128, 128>>>(zoo.upload(price), zoo.upload(strike), zoo.upload(years),
                                                    found, n);
    zoo.expect("fi_implied_volatility", found, n, want, 1e-6);
  }
  if (zoo.runs("fi_sobol_asian")) {
    const int paths = 16384;
    zoo.ok(cudaMemcpyToSymbol(direction, directions().data(), 128 * sizeof(unsigned)));
    float* payoff = zoo.zeros<float>(paths);
    fi_sobol_asian<<<paths / 128, 128>>>(payoff, 98, -0.002f, 0.09f, paths);
    zoo.show("fi_sobol_asian", payoff, paths);
  }
  if (zoo.runs("fi_fast_prices")) {
    const int n = 90000;
    float *call = zoo.zeros<float>(n), *put = zoo.zeros<float>(n);
    fi_fast_prices<<<(n + 255) / 256, 256>>>(
        zoo.upload(random_floats(n, 5, 80, 120)), zoo.upload(random_floats(n, 6, 80, 120)),
        zoo.upload(random_floats(n, 7, 0.2f, 3)), 0.02f, 0.25f, call, put, n);
    zoo.show("fi_fast_prices", call, n);
  }
  return zoo.done();
}
