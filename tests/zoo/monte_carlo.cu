// Monte Carlo: random numbers and what is computed from them.
#include "zoo.cuh"

__device__ unsigned xorshift(unsigned& s) {
  s ^= s << 13;
  s ^= s >> 17;
  s ^= s << 5;
  return s;
}
__device__ float unit(unsigned& s) { return (xorshift(s) >> 8) * (1.0f / 16777216.0f); }

__global__ void mc_pi_points(int each, unsigned* inside) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 2654435761u + 12345u, count = 0;
  for (int k = 0; k < each; ++k) {
    const float x = unit(s), y = unit(s);
    if (x * x + y * y < 1.0f) ++count;
  }
  inside[i] = count;
}

// Asian options: prices along a path with normal steps (Box-Muller); the payoff depends on their mean.
__global__ void mc_option_paths(float start, float drift, float spread, int steps, float strike,
                                float* payoff) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 747796405u + 1u;
  float price = start, sum = 0;
  for (int k = 0; k < steps; k += 2) {
    const float u = unit(s) + 1e-7f, v = unit(s), radius = sqrtf(-2.0f * logf(u));
    float si, co;
    sincospif(2.0f * v, &si, &co);
    price *= expf(drift + spread * radius * co);
    sum += price;
    price *= expf(drift + spread * radius * si);
    sum += price;
  }
  payoff[i] = fmaxf(sum / steps - strike, 0.0f);
}

// Half of the cells of an Ising lattice; the new spins go to another array.
__global__ void mc_ising_half(const signed char* spin, signed char* next, int side, float beta, int color) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= side || y >= side) return;
  const int i = y * side + x;
  signed char s = spin[i];
  if ((x + y) % 2 == color) {
    const int left = x > 0 ? x - 1 : side - 1, right = x < side - 1 ? x + 1 : 0,
              up = y > 0 ? y - 1 : side - 1, down = y < side - 1 ? y + 1 : 0;
    const int sum =
        spin[y * side + left] + spin[y * side + right] + spin[up * side + x] + spin[down * side + x];
    unsigned r = unsigned(i) * 2246822519u + 7u;
    xorshift(r);
    if (unit(r) < expf(-2.0f * beta * s * sum)) s = -s;
  }
  next[i] = s;
}

// Walks of any length: until the walker leaves a disc.
__global__ void mc_random_walk(float radius, int* steps) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned s = i * 1664525u + 99u;
  float x = 0, y = 0;
  int n = 0;
  while (x * x + y * y < radius * radius && n < 2000) {
    const unsigned d = xorshift(s) >> 30;
    if (d == 0)
      x += 1;
    else if (d == 1)
      x -= 1;
    else if (d == 2)
      y += 1;
    else
      y -= 1;
    ++n;
  }
  steps[i] = n;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("mc_pi_points")) {
    unsigned* inside = zoo.zeros<unsigned>(132 * 256);
    mc_pi_points<<<132, 256>>>(400, inside);
    zoo.expect("mc_pi_points", inside, 132 * 256, 132 * 256 * 400 * 0.78539816, 0.01);
  }
  if (zoo.runs("mc_option_paths")) {
    float* payoff = zoo.zeros<float>(200 * 128);
    mc_option_paths<<<200, 128>>>(100, 0.0001f, 0.02f, 64, 100, payoff);
    zoo.show("mc_option_paths", payoff, 200 * 128);
  }
  if (zoo.runs("mc_ising_half")) {
    const int side = 500;
    std::vector<signed char> spin(side * side);
    Random r{1};
    for (auto& s : spin) s = r.below(2) ? 1 : -1;
    signed char* next = zoo.zeros<signed char>(side * side);
    mc_ising_half<<<dim3(16, 63), dim3(32, 8)>>>(zoo.upload(spin), next, side, 0.4f, 0);
    zoo.show("mc_ising_half", next, side * side);
  }
  if (zoo.runs("mc_random_walk")) {
    int* steps = zoo.zeros<int>(60 * 128);
    mc_random_walk<<<60, 128>>>(12, steps);
    zoo.show("mc_random_walk", steps, 60 * 128);
  }
  return zoo.done();
}
