// Sound: strings that are plucked, samples at another rate, cepstra and pitch of speech, and a lossless
// stream.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

#include <algorithm>

#include "zoo.cuh"

namespace cg = cooperative_groups;

#define THREAD (blockIdx.x * blockDim.x + threadIdx.x)

const int longest_string = 112;

// Karplus-Strong: a thread plucks a string. Its delay line is an array of the thread's own.
__global__ void au_pluck_strings(const int* period, const float* pluck, float* loudness, int strings,
                                 int samples) {
  int s = THREAD;
  if (s >= strings) return;
  float line[longest_string];
  int p = period[s], at = 0;
  for (int i = 0; i < p; i++) line[i] = pluck[i * strings + s];
  float sum = 0.f;
  for (int i = 0; i < samples; i++) {
    int next = at + 1 == p ? 0 : at + 1;
    float y = line[at];
    line[at] = 0.4985f * (y + line[next]);
    sum += y * y;
    at = next;
  }
  loudness[s] = sum;
}

const int up = 147, down = 160, taps = 20;  // 48 kHz to 44.1 kHz.

// A polyphase filter: output i begins at input i * 160 / 147 and takes the coefficients of its phase.
__global__ void au_change_rate(const float2* __restrict__ in, const float* __restrict__ phases, float2* out,
                               int n) {
  const int stride = gridDim.x * blockDim.x;
  for (int i = THREAD; i < n; i += stride) {
    const unsigned position = unsigned(i) * down, first = position / up;
    const float* h = phases + (position - first * up) * taps;
    float left = 0.f, right = 0.f;
#pragma unroll
    for (int k = 0; k < taps; k++) {
      const float2 x = in[first + k];
      left = fmaf(h[k], x.x, left);
      right = fmaf(h[k], x.y, right);
    }
    out[i] = make_float2(left, right);
  }
}

const int bins = 257, mels = 40, cepstra = 13;

// Cepstra of a frame per block: powers through 40 triangular filters of different widths, logarithms, a
// cosine transform.
__global__ void au_mel_cepstra(const float2* spectrum, const int* edge, float* out) {
  __shared__ float power[bins], energy[mels];
  const float2* mine = spectrum + size_t(blockIdx.x) * bins;
  for (int i = threadIdx.x; i < bins; i += blockDim.x)
    power[i] = mine[i].x * mine[i].x + mine[i].y * mine[i].y;
  __syncthreads();
  if (threadIdx.x < mels) {
    const int low = edge[threadIdx.x], middle = edge[threadIdx.x + 1], high = edge[threadIdx.x + 2];
    float e = 0.f;
    for (int i = low + 1; i < middle; i++) e += power[i] * (i - low) / (middle - low);
    for (int i = middle; i < high; i++) e += power[i] * (high - i) / (high - middle);
    energy[threadIdx.x] = logf(e + 1e-6f);
  }
  __syncthreads();
  if (threadIdx.x < cepstra) {
    float c = 0.f;
    for (int m = 0; m < mels; m++) c += energy[m] * cospif(threadIdx.x * (m + 0.5f) / mels);
    out[blockIdx.x * cepstra + threadIdx.x] = c;
  }
}

const int lags = 192, frame = 256;

struct Pitch {
  float difference;
  int lag;
};

// YIN: the difference of a frame and its shifted copy for 192 lags, a lag per thread, over the mean of the
// shorter lags. The least one is the period.
__global__ void __launch_bounds__(lags) au_find_pitch(const float* sound, Pitch* out, int hop) {
  __shared__ float x[frame + lags];
  __shared__ float total[lags / 32];
  __shared__ Pitch best[lags / 32];
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  const int lag = threadIdx.x, w = lag / 32;
  for (int i = lag; i < frame + lags; i += lags) x[i] = sound[size_t(blockIdx.x) * hop + i];
  __syncthreads();
  float d = 0.f;
#pragma unroll 16
  for (int i = 0; i < frame; i++) {
    float e = x[i] - x[i + lag];
    d += e * e;
  }
  float sum = d;
  for (int o = 1; o < 32; o <<= 1) {
    float other = warp.shfl_up(sum, o);
    if (int(warp.thread_rank()) >= o) sum += other;
  }
  if (warp.thread_rank() == 31) total[w] = sum;
  __syncthreads();
  for (int k = 0; k < w; k++) sum += total[k];
  const float normal = lag >= 20 ? d * lag / sum : 1e30f;
  const float least = cg::reduce(warp, normal, cg::less<float>());
  const unsigned who = warp.ballot(normal == least);
  if (int(warp.thread_rank()) == __ffs(who) - 1) best[w] = Pitch{normal, lag};
  __syncthreads();
  if (lag == 0) {
    Pitch p = best[0];
    for (int k = 1; k < lags / 32; k++)
      if (best[k].difference < p.difference) p = best[k];
    out[blockIdx.x] = p;
  }
}

const int block_samples = 48;

__device__ unsigned peek(const unsigned* words, unsigned bit) {
  return __funnelshift_l(words[(bit >> 5) + 1], words[bit >> 5], bit & 31);
}

// A lossless stream: each thread reads the Rice codes of one block of samples, adds the prediction of second
// order, and writes its samples.
__global__ void au_unpack_rice(const unsigned* words, const unsigned* start, short* out, int blocks) {
  int b = THREAD;
  if (b >= blocks) return;
  unsigned bit = start[b];
  unsigned k = peek(words, bit) >> 28;
  bit += 4;
  int last = 0, before = 0;
  for (int i = 0; i < block_samples; i++) {
    unsigned high = 0, v = peek(words, bit);
    while (v == 0) {
      high += 32;
      bit += 32;
      v = peek(words, bit);
    }
    const unsigned zeros = __clz(v);
    high += zeros;
    bit += zeros + 1;
    const unsigned low = k ? peek(words, bit) >> (32 - k) : 0;
    bit += k;
    const unsigned code = high << k | low;
    const int residual = int(code >> 1) ^ -int(code & 1), y = 2 * last - before + residual;
    before = last;
    last = y;
    out[b * block_samples + i] = short(y);
  }
}

static void pluck_strings(Zoo& zoo) {
  const int strings = 4000, samples = 500;
  Random r{1};
  std::vector<int> period(strings);
  for (int& p : period) p = 40 + int(r.below(longest_string - 40));
  const auto pluck = random_floats(size_t(longest_string) * strings, 2, -1, 1);
  float* loudness = zoo.zeros<float>(strings);
  au_pluck_strings<<<(strings + 63) / 64, 64>>>(zoo.upload(period), zoo.upload(pluck), loudness, strings,
                                                samples);
  const auto want = [&](size_t s) {
    std::vector<double> line(period[s]);
    for (int i = 0; i < period[s]; ++i) line[i] = pluck[i * strings + s];
    double sum = 0;
    for (int i = 0, at = 0; i < samples; ++i) {
      const int next = (at + 1) % period[s];
      sum += line[at] * line[at];
      line[at] = 0.4985 * (line[at] + line[next]);
      at = next;
    }
    return sum;
  };
  zoo.expect_each("au_pluck_strings", loudness, strings, 7, want, 1e-3);
}

static void change_rate(Zoo& zoo) {
  const int n = 150000, inputs = int(size_t(n) * down / up) + taps;
  const auto f = random_floats(2 * inputs, 3, -1, 1), phases = random_floats(up * taps, 4, -0.2f, 0.3f);
  float2* out = zoo.zeros<float2>(n);
  au_change_rate<<<264, 192>>>((const float2*)zoo.upload(f), zoo.upload(phases), out, n);
  const auto want = [&](size_t i) {
    const size_t position = i / 2 * down;
    double sum = 0;
    for (int k = 0; k < taps; ++k)
      sum += double(phases[position % up * taps + k]) * f[2 * (position / up + k) + i % 2];
    return sum;
  };
  zoo.expect_each("au_change_rate", (const float*)out, 2 * n, 61, want, 1e-4);
}

static void mel_cepstra(Zoo& zoo) {
  const int frames = 900;
  const auto f = random_floats(size_t(frames) * bins * 2, 5, -1, 1);
  std::vector<int> edge(mels + 2);
  for (int m = 0; m < mels + 2; ++m) edge[m] = int(2 * m + 174 * pow(m / (mels + 1.0), 2.5));
  float* out = zoo.zeros<float>(frames * cepstra);
  au_mel_cepstra<<<frames, 64>>>((const float2*)zoo.upload(f), zoo.upload(edge), out);
  const auto want = [&](size_t i) {
    double c = 0;
    for (int m = 0; m < mels; ++m) {
      double e = 1e-6;
      for (int b = edge[m] + 1; b < edge[m + 2]; ++b) {
        const double x = f[(i / cepstra * bins + b) * 2], y = f[(i / cepstra * bins + b) * 2 + 1];
        e += (x * x + y * y) * (b < edge[m + 1] ? double(b - edge[m]) / (edge[m + 1] - edge[m])
                                                : double(edge[m + 2] - b) / (edge[m + 2] - edge[m + 1]));
      }
      c += log(e) * cos(M_PI * double(i % cepstra) * (m + 0.5) / mels);
    }
    return c;
  };
  zoo.expect_each("au_mel_cepstra", out, frames * cepstra, 31, want, 1e-3);
}

static void find_pitch(Zoo& zoo) {
  const int frames = 260, hop = 80, n = frames * hop + frame + lags;
  auto sound = random_floats(n, 6, -0.1f, 0.1f);
  for (int i = 0; i < n; ++i)
    sound[i] += float(sin(i * (0.05 + 0.02 * sin(i * 3e-4))) + 0.4 * sin(i * (0.1 + 0.04 * sin(i * 3e-4))));
  Pitch* out = zoo.zeros<Pitch>(frames);
  au_find_pitch<<<frames, lags>>>(zoo.upload(sound), out, hop);
  const auto got = zoo.download(out, frames);
  double sum = 0;
  bool right = true;
  for (int f = 0; f < frames; ++f) {
    double all = 0, least = 1e30, at_lag = 0;
    for (int lag = 0; lag < lags; ++lag) {
      double d = 0;
      for (int i = 0; i < frame; ++i) d += pow(double(sound[f * hop + i]) - sound[f * hop + i + lag], 2);
      all += d;
      if (lag >= 20) least = std::min(least, d * lag / all);
      if (lag == got[f].lag) at_lag = d * lag / all;
    }
    // Two lags may be equal but for rounding.
    right = right && at_lag <= least * (1 + 1e-3) && fabs(got[f].difference - least) < 1e-3 * least;
    sum += got[f].difference;
  }
  printf("au_find_pitch %.7g\n", sum);
  zoo.require("au_find_pitch", right, "each frame has its least difference");
}

static void unpack_rice(Zoo& zoo) {
  const int blocks = 9000;
  Random r{7};
  std::vector<unsigned> words(1), start;
  std::vector<short> want;
  unsigned bit = 0;
  const auto put = [&](unsigned value, unsigned count) {
    for (unsigned i = count; i-- > 0; ++bit) {
      if (bit / 32 + 2 > words.size()) words.push_back(0);
      words[bit / 32] |= (value >> i & 1) << (31 - bit % 32);
    }
  };
  for (int b = 0; b < blocks; ++b) {
    start.push_back(bit);
    const unsigned k = r.below(7);
    put(k, 4);
    int last = 0, before = 0;
    for (int i = 0; i < block_samples; ++i) {
      int target = int(r.below(2u << k)) - (1 << k);
      if (r.below(200) == 0) target *= 15;
      const int y = short(2 * last - before + target - (last >> 4) - ((last - before) >> 1)),
                residual = y - 2 * last + before;
      const unsigned code = residual < 0 ? -2 * residual - 1 : 2 * residual;
      for (unsigned z = code >> k; z > 0; --z) put(0, 1);
      put(1, 1);
      put(code & ((1u << k) - 1), k);
      before = last;
      last = y;
      want.push_back(short(y));
    }
  }
  words.resize(words.size() + 2);
  short* out = zoo.zeros<short>(want.size());
  au_unpack_rice<<<(blocks + 95) / 96, 96>>>(zoo.upload(words), zoo.upload(start), out, blocks);
  zoo.expect_each(
      "au_unpack_rice", out, want.size(), 1, [&](size_t i) { return want[i]; }, 1e-12);
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("au_pluck_strings")) pluck_strings(zoo);
  if (zoo.runs("au_change_rate")) change_rate(zoo);
  if (zoo.runs("au_mel_cepstra")) mel_cepstra(zoo);
  if (zoo.runs("au_find_pitch")) find_pitch(zoo);
  if (zoo.runs("au_unpack_rice")) unpack_rice(zoo);
  return zoo.done();
}
