// A radio telescope's steps: channels from voltages, correlations of antennas, pulses without their
// dispersion, and visibilities on a grid.
#include "zoo.cuh"

namespace radio {

using Complex = float2;

__device__ __forceinline__ Complex operator+(Complex a, Complex b) {
  return make_float2(a.x + b.x, a.y + b.y);
}
__device__ __forceinline__ Complex operator-(Complex a, Complex b) {
  return make_float2(a.x - b.x, a.y - b.y);
}
__device__ __forceinline__ Complex operator*(Complex a, Complex b) {
  return make_float2(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x);
}
__device__ __forceinline__ Complex times_minus_i(Complex a) { return make_float2(a.y, -a.x); }

__device__ __forceinline__ void butterfly(Complex (&v)[4]) {
  const Complex a = v[0] + v[2], b = v[0] - v[2], c = v[1] + v[3], d = times_minus_i(v[1] - v[3]);
  v[0] = a + c;
  v[1] = b + d;
  v[2] = a - c;
  v[3] = b - d;
}

/// A radix-4 transform of N values per block, by N / 4 threads: each pass goes through shared memory.
template <int N>
__global__ void __launch_bounds__(N / 4) ro_channelise(const Complex* in, Complex* out) {
  __shared__ float real[N], imaginary[N];
  constexpr int Q = N / 4;
  const int t = threadIdx.x;
  Complex v[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) v[k] = in[size_t(blockIdx.x) * N + t + k * Q];
#pragma unroll
  for (int done = 1; done < N; done *= 4) {
    const int inside = t % done;
#pragma unroll
    for (int k = 1; k < 4; ++k) {
      Complex w;
      sincospif(-2.0f * k * inside / (4 * done), &w.y, &w.x);
      v[k] = v[k] * w;
    }
    butterfly(v);
    if (4 * done == N) break;
    if (done > 1) __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      const int to = (t - inside) * 4 + inside + k * done;
      real[to] = v[k].x;
      imaginary[to] = v[k].y;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = make_float2(real[t + k * Q], imaginary[t + k * Q]);
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) out[size_t(blockIdx.x) * N + t + k * Q] = v[k];
}

/// Voltages of eight bits, four times per word. A block per channel; a thread has 2 x 2 pairs of antennas.
template <int Antennas, int Words>
__global__ void ro_correlate(const int* real, const int* imaginary, int2* product) {
  static_assert(Antennas % 2 == 0);
  extern __shared__ int voltage[];
  int(*re)[Words + 1] = reinterpret_cast<int(*)[Words + 1]>(voltage);
  int(*im)[Words + 1] = re + Antennas;
  const size_t channel = blockIdx.x;
  for (int i = threadIdx.x; i < Antennas * Words; i += blockDim.x) {
    re[i / Words][i % Words] = real[channel * Antennas * Words + i];
    im[i / Words][i % Words] = imaginary[channel * Antennas * Words + i];
  }
  __syncthreads();
  constexpr int Half = Antennas / 2;
  for (int pair = threadIdx.x; pair < Half * Half; pair += blockDim.x) {
    const int a = pair / Half * 2, b = pair % Half * 2;
    if (b > a) continue;  // The matrix is Hermitian.
    int2 sum[2][2] = {};
    for (int w = 0; w < Words; ++w) {
#pragma unroll
      for (int i = 0; i < 2; ++i)
#pragma unroll
        for (int j = 0; j < 2; ++j) {
          sum[i][j].x = __dp4a(re[a + i][w], re[b + j][w], __dp4a(im[a + i][w], im[b + j][w], sum[i][j].x));
          sum[i][j].y = __dp4a(im[a + i][w], re[b + j][w], sum[i][j].y);
          sum[i][j].y -= __dp4a(re[a + i][w], im[b + j][w], 0);
        }
    }
    for (int i = 0; i < 2; ++i)
      for (int j = 0; j < 2; ++j) product[(channel * Antennas + a + i) * Antennas + b + j] = sum[i][j];
  }
}

__constant__ float delay_of_channel[128];

/// Adds up the channels, each shifted by its delay at this trial's dispersion.
__global__ void ro_undo_dispersion(const unsigned char* power, unsigned* series, int channels, int samples,
                                   int length) {
  const int t = blockIdx.x * blockDim.x + threadIdx.x, trial = blockIdx.y;
  if (t >= length) return;
  unsigned sum = 0;
#pragma unroll 4
  for (int c = 0; c < channels; ++c)
    sum += power[c * samples + t + __float2int_rn(delay_of_channel[c] * trial)];
  series[trial * length + t] = sum;
}

/// Adds each visibility to 7 x 7 cells around its place, weighed by a kernel that depends on where in the
/// cell it is.
template <int Support>
__global__ void ro_grid_visibilities(const float4* visibility, const float* weight, float2* grid, int side,
                                     int n) {
  constexpr int Width = 2 * Support + 1;
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 8, column = threadIdx.x % 8;
  if (i >= n || column >= Width) return;
  const float4 v = visibility[i];
  const int u = __float2int_rd(v.x), w = __float2int_rd(v.y);
  const float* across = weight + int((v.x - u) * 8) * Width;
  const float* down = weight + int((v.y - w) * 8) * Width;
  const float mine = across[column];
#pragma unroll
  for (int row = 0; row < Width; ++row) {
    float2* cell = grid + (w + row - Support) * side + u + column - Support;
    const float scale = mine * down[row];
    atomicAdd(&cell->x, scale * v.z);
    atomicAdd(&cell->y, scale * v.w);
  }
}

}  // namespace radio

namespace {

void channelise(Zoo& zoo) {
  constexpr int length = 1024, blocks = 700;
  const auto data = random_floats(2 * length * blocks, 1, -1, 1);
  auto* out = zoo.zeros<float>(2 * length * blocks);
  radio::ro_channelise<length><<<blocks, length / 4>>>(reinterpret_cast<const float2*>(zoo.upload(data)),
                                                       reinterpret_cast<float2*>(out));
  const auto want = [&](size_t i) {
    const size_t bin = i / 2 % length, first = i / 2 / length * length;
    double x = 0, y = 0;
    for (size_t k = 0; k < length; ++k) {
      const double angle = -2 * 3.14159265358979 * double(bin * k % length) / length, c = cos(angle),
                   s = sin(angle);
      x += data[2 * (first + k)] * c - data[2 * (first + k) + 1] * s;
      y += data[2 * (first + k)] * s + data[2 * (first + k) + 1] * c;
    }
    return i % 2 ? y : x;
  };
  zoo.expect_each("ro_channelise", out, 2 * length * blocks, 20011, want, 1e-3);
}

void correlate(Zoo& zoo) {
  constexpr int antennas = 48, words = 40, channels = 150;
  const auto real = random_words(channels * antennas * words, 2), imaginary = random_words(real.size(), 3);
  auto* product = zoo.zeros<int2>(channels * antennas * antennas);
  constexpr int bytes = 2 * antennas * (words + 1) * int(sizeof(int));
  radio::ro_correlate<antennas, words>
      <<<channels, 192, bytes>>>(reinterpret_cast<const int*>(zoo.upload(real)),
                                 reinterpret_cast<const int*>(zoo.upload(imaginary)), product);
  const auto want = [&](size_t i) {
    const size_t channel = i / 2 / (antennas * antennas), a = i / 2 / antennas % antennas,
                 b = i / 2 % antennas;
    if (b / 2 > a / 2) return 0;
    const auto* re = reinterpret_cast<const signed char*>(&real[channel * antennas * words]);
    const auto* im = reinterpret_cast<const signed char*>(&imaginary[channel * antennas * words]);
    int sum = 0;
    for (size_t k = 0; k < 4 * words; ++k) {
      const size_t p = a * 4 * words + k, q = b * 4 * words + k;
      sum += i % 2 ? im[p] * re[q] - re[p] * im[q] : re[p] * re[q] + im[p] * im[q];
    }
    return sum;
  };
  zoo.expect_each("ro_correlate", reinterpret_cast<const int*>(product), 2 * channels * antennas * antennas,
                  1009, want, 1e-12);
}

void undo_dispersion(Zoo& zoo) {
  const int channels = 96, trials = 48, length = 6000, samples = length + 3000;
  std::vector<float> delay(channels);
  for (int c = 0; c < channels; ++c) delay[c] = 60.0f * (1 / powf(1.0f + c / 96.0f, 2) - 0.25f) * 1.3f;
  zoo.ok(cudaMemcpyToSymbol(radio::delay_of_channel, delay.data(), channels * sizeof(float)));
  std::vector<unsigned char> power(channels * samples);
  Random r{4};
  for (auto& p : power) p = (unsigned char)r.below(64);
  const int pulse = 1700, right_trial = 29;
  for (int c = 0; c < channels; ++c) power[c * samples + pulse + int(lrintf(delay[c] * right_trial))] = 255;
  auto* series = zoo.zeros<unsigned>(trials * length);
  radio::ro_undo_dispersion<<<dim3((length + 255) / 256, trials), 256>>>(zoo.upload(power), series, channels,
                                                                         samples, length);
  const auto want = [&](size_t i) {
    unsigned sum = 0;
    for (int c = 0; c < channels; ++c)
      sum += power[c * samples + i % length + size_t(lrintf(delay[c] * float(i / length)))];
    return sum;
  };
  zoo.expect_each("ro_undo_dispersion", series, trials * length, 499, want, 1e-12);
  const auto peak = zoo.download(series + right_trial * length + pulse, 1);
  zoo.require("ro_undo_dispersion", peak[0] == 255u * channels, "the planted pulse is whole at its trial");
}

void grid_visibilities(Zoo& zoo) {
  constexpr int side = 512, n = 30000;
  Random r{5};
  std::vector<float4> visibility(n);
  double want = 0;
  for (auto& v : visibility) {
    // Denser towards the middle, as short baselines are.
    const float x = r.unit() - 0.5f, y = r.unit() - 0.5f, at = r.unit();
    v = make_float4(256 + 490 * x * at, 256 + 490 * y * at, r.unit(), r.unit());
    want += double(v.z) + v.w;
  }
  std::vector<float> weight(8 * 7);
  for (int p = 0; p < 8; ++p) {
    float sum = 0;
    for (int k = 0; k < 7; ++k) sum += weight[7 * p + k] = expf(-0.4f * powf(k - 3 - p / 8.0f, 2));
    for (int k = 0; k < 7; ++k) weight[7 * p + k] /= sum;
  }
  auto* grid = zoo.zeros<float2>(side * side);
  radio::ro_grid_visibilities<3>
      <<<(8 * n + 127) / 128, 128>>>(zoo.upload(visibility), zoo.upload(weight), grid, side, n);
  zoo.expect("ro_grid_visibilities", reinterpret_cast<const float*>(grid), 2 * side * side, want, 1e-4);
}

}  // namespace

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("ro_channelise")) channelise(zoo);
  if (zoo.runs("ro_correlate")) correlate(zoo);
  if (zoo.runs("ro_undo_dispersion")) undo_dispersion(zoo);
  if (zoo.runs("ro_grid_visibilities")) grid_visibilities(zoo);
  return zoo.done();
}
