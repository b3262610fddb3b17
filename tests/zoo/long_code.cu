// Long straight-line code that each warp executes once or a few times: the instruction cache is cold.
#include "zoo.cuh"

// Forty reactions, each with constants of its own, as generated chemistry code has them.
__global__ void lc_reaction_rates(const float* temperature, const float* mass, float* rate, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float t = temperature[i], inverse = 1.0f / t, root = logf(t);
  float c[8], w[8];
  for (int k = 0; k < 8; ++k) {
    c[k] = mass[k * n + i];
    w[k] = 0;
  }
#define REACTION(A, B, E, FROM1, FROM2, TO)                      \
  {                                                              \
    const float k = expf(A + B * root - E * inverse);            \
    const float q = k * c[FROM1] * c[FROM2] - 0.01f * k * c[TO]; \
    w[FROM1] -= q;                                               \
    w[FROM2] -= q;                                               \
    w[TO] += 2 * q;                                              \
  }
#define FOUR(A, B, E, S)                                                           \
  REACTION(A, B, E, S % 8, (S + 1) % 8, (S + 3) % 8)                               \
  REACTION(A + 0.11f, B - 0.03f, E + 17.0f, (S + 2) % 8, (S + 5) % 8, (S + 7) % 8) \
  REACTION(A - 0.07f, B + 0.02f, E - 9.0f, (S + 4) % 8, (S + 6) % 8, (S + 1) % 8)  \
  REACTION(A + 0.19f, B - 0.01f, E + 3.0f, (S + 3) % 8, (S + 7) % 8, (S + 2) % 8)
  FOUR(1.30f, 0.50f, 900.0f, 0)
  FOUR(0.20f, 0.30f, 1200.0f, 1)
  FOUR(1.10f, -0.20f, 300.0f, 2)
  FOUR(-0.40f, 0.10f, 450.0f, 3)
  FOUR(0.90f, 0.00f, 700.0f, 4)
  FOUR(0.35f, 0.25f, 815.0f, 5)
  FOUR(-1.05f, 0.40f, 210.0f, 6)
  FOUR(0.75f, -0.15f, 660.0f, 7)
  FOUR(0.05f, 0.45f, 1340.0f, 0)
  FOUR(1.45f, -0.35f, 505.0f, 3)
  for (int k = 0; k < 8; ++k) rate[k * n + i] = w[k];
}

// The 64 rounds of a hash, all unrolled.
__global__ void lc_compress_rounds(const unsigned* message, unsigned* digest) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, n = gridDim.x * blockDim.x;
  unsigned w[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) w[k] = message[k * n + i];
  unsigned a = 0x6a09e667, b = 0xbb67ae85, c = 0x3c6ef372, d = 0xa54ff53a, e = 0x510e527f, f = 0x9b05688c,
           g = 0x1f83d9ab, h = 0x5be0cd19;
#pragma unroll
  for (int k = 0; k < 64; ++k) {
    if (k >= 16) {
      const unsigned p = w[(k + 1) % 16], q = w[(k + 14) % 16];
      w[k % 16] += (__funnelshift_r(p, p, 7) ^ __funnelshift_r(p, p, 18) ^ p >> 3) + w[(k + 9) % 16] +
                   (__funnelshift_r(q, q, 17) ^ __funnelshift_r(q, q, 19) ^ q >> 10);
    }
    const unsigned t1 = h +
                        (__funnelshift_r(e, e, 6) ^ __funnelshift_r(e, e, 11) ^ __funnelshift_r(e, e, 25)) +
                        (e & f ^ ~e & g) + 0x428a2f98u * (k + 1) + w[k % 16];
    const unsigned t2 = (__funnelshift_r(a, a, 2) ^ __funnelshift_r(a, a, 13) ^ __funnelshift_r(a, a, 22)) +
                        (a & b ^ a & c ^ b & c);
    h = g, g = f, f = e, e = d + t1, d = c, c = b, b = a, a = t1 + t2;
  }
  digest[i] = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
}

// A polynomial of 256 terms whose coefficients are immediate operands.
__global__ void lc_series_table(const float* x, float* y) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = x[i];
  float s = 0, t = 1;
#pragma unroll
  for (int k = 1; k <= 256; ++k) {
    t = t * v * 0.999f;
    s = fmaf(t, 1.0f / (k * k + 0.37f * (k % 7)), s);
  }
  y[i] = s;
}

// Every block takes another branch of one large switch.
__global__ void lc_state_switch(const float* in, float* out) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float a = in[i], b = 1;
#define STATE(N)                                                                \
  case N:                                                                       \
    for (int k = 0; k < 12; ++k) {                                              \
      a = a * (0.5f + N * 0.01f) + sqrtf(b + N);                                \
      b = b * 0.25f + __fdividef(a, N + 1.5f) - floorf(a * (N % 5 + 1) * 0.1f); \
      if (a > N + 2) a -= N * 0.5f;                                             \
    }                                                                           \
    break;
  switch (blockIdx.x % 24) {
    STATE(0)
    STATE(1)
    STATE(2)
    STATE(3) STATE(4) STATE(5) STATE(6) STATE(7) STATE(8) STATE(9) STATE(10) STATE(11) STATE(12) STATE(13)
        STATE(14) STATE(15) STATE(16) STATE(17) STATE(18) STATE(19) STATE(20) STATE(21) STATE(22) STATE(23)
  }
  out[i] = a + b;
}

// A Fourier transform of 16 complex values in registers.
__global__ void lc_fft16(const float2* in, float2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  float2 v[16];
#pragma unroll
  for (int k = 0; k < 16; ++k) v[k] = in[k * n + i];
#pragma unroll
  for (int half = 8; half > 0; half /= 2) {
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      const int low = k / half * 2 * half + k % half, high = low + half;
      const float2 a = v[low], b = v[high];
      const float angle = -3.14159265f * (k % half) / half, co = cosf(angle), si = sinf(angle);
      v[low] = make_float2(a.x + b.x, a.y + b.y);
      const float dx = a.x - b.x, dy = a.y - b.y;
      v[high] = make_float2(dx * co - dy * si, dx * si + dy * co);
    }
  }
#pragma unroll
  for (int k = 0; k < 16; ++k) out[k * n + i] = v[__brev(k) >> 28];
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("lc_reaction_rates")) {
    const int n = 33 * 128 - 5;
    float* rate = zoo.zeros<float>(8 * n);
    lc_reaction_rates<<<33, 128>>>(zoo.upload(random_floats(n, 1, 600, 1800)),
                                   zoo.upload(random_floats(8 * n, 2)), rate, n);
    zoo.show("lc_reaction_rates", rate, 8 * n);
  }
  if (zoo.runs("lc_compress_rounds")) {
    const int n = 66 * 128;
    unsigned* digest = zoo.zeros<unsigned>(n);
    lc_compress_rounds<<<66, 128>>>(zoo.upload(random_words(16 * n, 3)), digest);
    zoo.show("lc_compress_rounds", digest, n);
  }
  if (zoo.runs("lc_series_table")) {
    float* y = zoo.zeros<float>(4 * 64);
    lc_series_table<<<4, 64>>>(zoo.upload(random_floats(4 * 64, 4, -1, 1)), y);
    zoo.show("lc_series_table", y, 4 * 64);
  }
  if (zoo.runs("lc_state_switch")) {
    const int n = 96 * 128;
    float* out = zoo.zeros<float>(n);
    lc_state_switch<<<96, 128>>>(zoo.upload(random_floats(n, 5)), out);
    zoo.show("lc_state_switch", out, n);
  }
  if (zoo.runs("lc_fft16")) {
    const int n = 264 * 64;
    std::vector<float2> v(16 * n);
    Random r{6};
    for (float2& c : v) {
      c.x = r.unit();
      c.y = r.unit();
    }
    float2* out = zoo.zeros<float2>(16 * n);
    lc_fft16<<<264, 64>>>(zoo.upload(v), out, n);
    zoo.show("lc_fft16", (const float*)out, 32 * n);
  }
  return zoo.done();
}
