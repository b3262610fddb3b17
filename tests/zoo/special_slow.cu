// Special functions on their long paths: large angles, powers, doubles, gamma.
#include "zoo.cuh"

// Fringes far from the axis: angles too large for the short reduction.
__global__ void ss_large_angles(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  out[i] = sinf(v * v) + cosf(3.0f * v * v + 1.0f);
}

__global__ void ss_power_law(const float* x, const float* exponent, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 6; ++k) sum += powf(x[i] + 0.1f * k, exponent[i]) - powf(x[i], 0.2f * k);
  out[i] = sum;
}

__global__ void ss_tangents(const float* x, const float* y, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = y[i];
  out[i] = atan2f(b, a) + tanf(a) + asinf(b * 0.3f) - atanf(a * b) + fmodf(a * 7.0f, 1.3f) + sinhf(b);
}

__global__ void ss_double_exp(const double* x, double* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const double v = x[i];
  double sum = 0;
  for (int k = 1; k <= 4; ++k) sum += exp(-v * k) * log(1.0 + v * k) + pow(v, 0.3 * k);
  out[i] = sum;
}

__global__ void ss_log_gamma(const float* x, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float v = x[i];
  out[i] = lgammaf(v) - lgammaf(v + 0.5f) + j0f(v) + normcdff(v - 2.0f) + erfinvf(0.2f * v - 0.9f);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ss_large_angles")) {
    const int n = 17000;
    float* out = zoo.zeros<float>(n);
    ss_large_angles<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 1, 100, 3000)), out, n);
    zoo.show("ss_large_angles", out, n);
  }
  if (zoo.runs("ss_power_law")) {
    const int n = 30000;
    float* out = zoo.zeros<float>(n);
    ss_power_law<<<(n + 127) / 128, 128>>>(zoo.upload(random_floats(n, 2, 0.1f, 4)),
                                           zoo.upload(random_floats(n, 3, -2, 2)), out, n);
    zoo.show("ss_power_law", out, n);
  }
  if (zoo.runs("ss_tangents")) {
    const int n = 50000;
    float* out = zoo.zeros<float>(n);
    ss_tangents<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 4, -1.4f, 1.4f)),
                                          zoo.upload(random_floats(n, 5, -3, 3)), out, n);
    zoo.show("ss_tangents", out, n);
  }
  if (zoo.runs("ss_double_exp")) {
    const int n = 66 * 64;
    double* out = zoo.zeros<double>(n);
    ss_double_exp<<<66, 64>>>(zoo.upload(random_doubles(n, 6, 0.1, 3)), out, n);
    zoo.show("ss_double_exp", out, n);
  }
  if (zoo.runs("ss_log_gamma")) {
    const int n = 25000;
    float* out = zoo.zeros<float>(n);
    ss_log_gamma<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 7, 0.5f, 9)), out, n);
    zoo.show("ss_log_gamma", out, n);
  }
  return zoo.done();
}
