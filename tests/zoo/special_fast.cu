// Special functions on their short paths.
#include "zoo.cuh"

__global__ void sf_fast_waves(const float* phase, float* out, int n, int terms) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float p = phase[i];
  float sum = 0;
  for (int k = 1; k <= terms; ++k) sum += __sinf(k * p) * __expf(-0.05f * k) + __cosf(0.3f * k + p) / k;
  out[i] = sum;
}

__global__ void sf_normalise(const float* x, const float* y, const float* z, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float a = x[i], b = y[i], c = z[i], s = rsqrtf(a * a + b * b + c * c + 1e-12f);
  out[3 * i] = a * s;
  out[3 * i + 1] = b * s;
  out[3 * i + 2] = c * s;
}

__global__ void sf_softplus(const float* in, float* out, int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    const float x = in[i];
    const float soft = fmaxf(x, 0.0f) + log1pf(expf(-fabsf(x)));
    out[i] = x * tanhf(soft) + logf(1.0f + soft) - sqrtf(soft);
  }
}

// A kernel of a charge distribution: erff and erfcf by distance.
__global__ void sf_gauss_erf(const float* distance, float* energy, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < 8; ++k) {
    const float r = distance[i] + 0.15f * k;
    sum += erfcf(0.4f * r) / r + 0.1f * erff(r) - cbrtf(r) * 0.01f;
  }
  energy[i] = sum;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sf_fast_waves")) {
    const int n = 60000;
    float* out = zoo.zeros<float>(n);
    sf_fast_waves<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 1, 0, 3)), out, n, 24);
    zoo.show("sf_fast_waves", out, n);
  }
  if (zoo.runs("sf_normalise")) {
    const int n = 150000;
    float* out = zoo.zeros<float>(3 * n);
    sf_normalise<<<(n + 127) / 128, 128>>>(zoo.upload(random_floats(n, 2)), zoo.upload(random_floats(n, 3)),
                                           zoo.upload(random_floats(n, 4)), out, n);
    zoo.show("sf_normalise", out, 3 * n);
  }
  if (zoo.runs("sf_softplus")) {
    const int n = 250000;
    float* out = zoo.zeros<float>(n);
    sf_softplus<<<264, 256>>>(zoo.upload(random_floats(n, 5, -4, 4)), out, n);
    zoo.show("sf_softplus", out, n);
  }
  if (zoo.runs("sf_gauss_erf")) {
    const int n = 40000;
    float* energy = zoo.zeros<float>(n);
    sf_gauss_erf<<<(n + 127) / 128, 128>>>(zoo.upload(random_floats(n, 6, 0.3f, 4)), energy, n);
    zoo.show("sf_gauss_erf", energy, n);
  }
  return zoo.done();
}
