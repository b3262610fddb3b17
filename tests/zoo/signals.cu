// Filters and transforms of signals.
#include "zoo.cuh"

struct Section {
  float b0, b1, b2, a1, a2;
};

// Two recursive sections per channel; a thread follows one channel through time.
__global__ void sg_biquad_chains(const float* in, float* out, Section first, Section second, int channels,
                                 int samples) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= channels) return;
  float p1 = 0, p2 = 0, q1 = 0, q2 = 0;
  for (int t = 0; t < samples; ++t) {
    const float x = in[t * channels + c], y = first.b0 * x + p1;
    p1 = first.b1 * x - first.a1 * y + p2;
    p2 = first.b2 * x - first.a2 * y;
    const float z = second.b0 * y + q1;
    q1 = second.b1 * y - second.a1 * z + q2;
    q2 = second.b2 * y - second.a2 * z;
    out[t * channels + c] = z;
  }
}

// Stockham's transform of 256 points per block, without a reversal of bits; the power of each line.
__global__ void sg_stockham_fft(const float2* in, float* power) {
  __shared__ float2 x[2][256];
  const int t = threadIdx.x;
  x[0][t] = in[blockIdx.x * 256 + t];
  x[0][t + 128] = in[blockIdx.x * 256 + t + 128];
  __syncthreads();
  int from = 0;
  for (int stride = 1, n = 256; n > 1; stride *= 2, n /= 2) {
    const int p = t / stride, q = t % stride;
    const float2 a = x[from][q + stride * p], b = x[from][q + stride * (p + n / 2)];
    float s, c;
    sincospif(-2.0f * p / n, &s, &c);
    const float re = a.x - b.x, im = a.y - b.y;
    x[1 - from][q + stride * 2 * p] = make_float2(a.x + b.x, a.y + b.y);
    x[1 - from][q + stride * (2 * p + 1)] = make_float2(re * c - im * s, re * s + im * c);
    from = 1 - from;
    __syncthreads();
  }
  for (int k = t; k < 256; k += 128) {
    const float2 v = x[from][k];
    power[blockIdx.x * 256 + k] = v.x * v.x + v.y * v.y;
  }
}

__constant__ float cosines[64];

// The cosine transform of 8 x 8 pixels per block, then the quantisation, as a JPEG has them.
__global__ void sg_dct_blocks(const unsigned char* in, const unsigned char* quantum, short* out, int width) {
  __shared__ float pixel[8][8], half[8][8];
  const int u = threadIdx.x, v = threadIdx.y;
  const size_t at = (size_t)(blockIdx.y * 8 + v) * width + blockIdx.x * 8 + u;
  pixel[v][u] = in[at] - 128.0f;
  __syncthreads();
  float sum = 0;
  for (int x = 0; x < 8; ++x) sum += cosines[u * 8 + x] * pixel[v][x];
  half[v][u] = sum;
  __syncthreads();
  sum = 0;
  for (int y = 0; y < 8; ++y) sum += cosines[v * 8 + y] * half[y][u];
  out[at] = short(rintf(sum / quantum[v * 8 + u]));
}

// All levels of the Haar wavelet of 1024 samples per block.
__global__ void sg_haar_levels(const float* in, float* out) {
  __shared__ float s[1024];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 1024 + t];
  s[t + 512] = in[blockIdx.x * 1024 + t + 512];
  __syncthreads();
  for (int left = 512; left > 0; left /= 2) {
    float mean = 0;
    if (t < left) {
      const float a = s[2 * t], b = s[2 * t + 1];
      mean = 0.70710678f * (a + b);
      out[blockIdx.x * 1024 + left + t] = 0.70710678f * (a - b);
    }
    __syncthreads();
    if (t < left) s[t] = mean;
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x * 1024] = s[0];
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sg_biquad_chains")) {
    const int channels = 3000, samples = 96;
    float* out = zoo.zeros<float>(channels * samples);
    sg_biquad_chains<<<(channels + 63) / 64, 64>>>(
        zoo.upload(random_floats(channels * samples, 1)), out, Section{0.2f, 0.4f, 0.2f, -0.3f, 0.1f},
        Section{0.5f, -0.1f, 0.5f, -0.6f, 0.3f}, channels, samples);
    zoo.show("sg_biquad_chains", out, channels * samples);
  }
  if (zoo.runs("sg_stockham_fft")) {
    const int blocks = 60, n = blocks * 256;
    const auto in = random_floats(2 * n, 2, -1, 1);
    double energy = 0;
    for (float x : in) energy += double(x) * x;
    float* power = zoo.zeros<float>(n);
    sg_stockham_fft<<<blocks, 128>>>((const float2*)zoo.upload(in), power);
    zoo.expect("sg_stockham_fft", power, n, 256 * energy);
  }
  if (zoo.runs("sg_dct_blocks")) {
    const int width = 320, height = 176;
    std::vector<float> table(64);
    for (int u = 0; u < 8; ++u)
      for (int x = 0; x < 8; ++x)
        table[u * 8 + x] = (u ? 0.5f : 0.35355339f) * cosf((2 * x + 1) * u * 3.14159265f / 16);
    zoo.ok(cudaMemcpyToSymbol(cosines, table.data(), 64 * sizeof(float)));
    std::vector<unsigned char> in(width * height), quantum(64);
    Random r{3};
    for (int i = 0; i < width * height; ++i) in[i] = (unsigned char)(i % width / 2 + r.below(60));
    for (int i = 0; i < 64; ++i) quantum[i] = (unsigned char)(10 + 2 * (i / 8 + i % 8));
    short* out = zoo.zeros<short>(width * height);
    sg_dct_blocks<<<dim3(width / 8, height / 8), dim3(8, 8)>>>(zoo.upload(in), zoo.upload(quantum), out,
                                                               width);
    zoo.show("sg_dct_blocks", out, width * height);
  }
  if (zoo.runs("sg_haar_levels")) {
    const int blocks = 70, n = blocks * 1024;
    float* out = zoo.zeros<float>(n);
    sg_haar_levels<<<blocks, 512>>>(zoo.upload(random_floats(n, 4)), out);
    zoo.show("sg_haar_levels", out, n);
  }
  return zoo.done();
}
