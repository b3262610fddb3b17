// cuRAND's device functions with clang. Every generator is Philox 4x32-10 (Salmon and others, "Parallel random numbers: as
// easy as 1, 2, 3", 2011): seeds, subsequences, offsets and distributions hold, the numbers are not those of cuRAND.
#pragma once
DOJO_SHIM_BEGIN

struct __dojo_philox {
  unsigned int counter[4];  // 0, 1: which four numbers; 2, 3: the subsequence
  unsigned int key[2], numbers[4];
  unsigned int used;   // of the four
  int has_normal;      // of a pair that was made
  double next_normal;
};
typedef __dojo_philox curandStateXORWOW_t, curandStateXORWOW, curandState_t, curandState;
typedef __dojo_philox curandStatePhilox4_32_10_t, curandStatePhilox4_32_10;
typedef __dojo_philox curandStateMRG32k3a_t, curandStateMRG32k3a;

static inline void __dojo_fill(__dojo_philox* s) {
  unsigned int c[4] = {s->counter[0], s->counter[1], s->counter[2], s->counter[3]};
  unsigned int k0 = s->key[0], k1 = s->key[1];
  for (int round = 0; round < 10; ++round) {
    const unsigned long long a = 0xD2511F53ull * c[0], b = 0xCD9E8D57ull * c[2];
    const unsigned int c1 = c[1], c3 = c[3];
    c[0] = (unsigned int)(b >> 32) ^ c1 ^ k0;
    c[1] = (unsigned int)b;
    c[2] = (unsigned int)(a >> 32) ^ c3 ^ k1;
    c[3] = (unsigned int)a;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  for (int i = 0; i < 4; ++i) s->numbers[i] = c[i];
}
static inline void skipahead(unsigned long long n, __dojo_philox* s) {
  n += s->used;
  const unsigned long long block = (((unsigned long long)s->counter[1] << 32) | s->counter[0]) + n / 4;
  s->counter[0] = (unsigned int)block;
  s->counter[1] = (unsigned int)(block >> 32);
  s->used = (unsigned int)(n % 4);
  s->has_normal = 0;
  __dojo_fill(s);
}
static inline void skipahead_sequence(unsigned long long n, __dojo_philox* s) {
  const unsigned long long at = (((unsigned long long)s->counter[3] << 32) | s->counter[2]) + n;
  s->counter[2] = (unsigned int)at;
  s->counter[3] = (unsigned int)(at >> 32);
  __dojo_fill(s);
}
static inline void curand_init(unsigned long long seed, unsigned long long subsequence, unsigned long long offset,
                               __dojo_philox* s) {
  s->counter[0] = s->counter[1] = 0;
  s->counter[2] = (unsigned int)subsequence;
  s->counter[3] = (unsigned int)(subsequence >> 32);
  s->key[0] = (unsigned int)seed;
  s->key[1] = (unsigned int)(seed >> 32);
  s->used = 0;
  s->next_normal = 0;
  skipahead(offset, s);
}

static inline unsigned int curand(__dojo_philox* s) {
  // Chosen without an index: the numbers stay in registers.
  const unsigned int u = s->used;
  const unsigned int v = u == 0 ? s->numbers[0] : u == 1 ? s->numbers[1] : u == 2 ? s->numbers[2] : s->numbers[3];
  if (u < 3) {
    s->used = u + 1;
  } else {
    s->used = 0;
    if (++s->counter[0] == 0) ++s->counter[1];
    __dojo_fill(s);
  }
  return v;
}
static inline uint4 curand4(__dojo_philox* s) {
  const unsigned int x = curand(s), y = curand(s), z = curand(s), w = curand(s);
  return make_uint4(x, y, z, w);
}

/// In (0, 1], as cuRAND's.
static inline float __dojo_unit(unsigned int v) { return v * 2.3283064e-10f + 1.1641532e-10f; }
static inline float curand_uniform(__dojo_philox* s) { return __dojo_unit(curand(s)); }
static inline float2 curand_uniform2(__dojo_philox* s) {
  const float x = curand_uniform(s), y = curand_uniform(s);
  return make_float2(x, y);
}
static inline float4 curand_uniform4(__dojo_philox* s) {
  const uint4 v = curand4(s);
  return make_float4(__dojo_unit(v.x), __dojo_unit(v.y), __dojo_unit(v.z), __dojo_unit(v.w));
}
static inline double curand_uniform_double(__dojo_philox* s) {
  const unsigned long long high = curand(s), low = curand(s);
  return double(((high << 32 | low) >> 11) + 1) * 1.1102230246251565e-16;  // 2^-53
}
static inline double2 curand_uniform2_double(__dojo_philox* s) {
  const double x = curand_uniform_double(s), y = curand_uniform_double(s);
  return make_double2(x, y);
}

// Normal numbers come in pairs (Box and Muller); the second is kept for the next call.
static inline float2 curand_normal2(__dojo_philox* s) {
  const float u = curand_uniform(s), v = curand_uniform(s);
  const float r = sqrtf(-2.0f * logf(u)), angle = 6.2831853f * v;
  return make_float2(r * sinf(angle), r * cosf(angle));
}
static inline double2 curand_normal2_double(__dojo_philox* s) {
  const double u = curand_uniform_double(s), v = curand_uniform_double(s);
  const double r = sqrt(-2.0 * log(u)), angle = 6.283185307179586 * v;
  return make_double2(r * sin(angle), r * cos(angle));
}
static inline float curand_normal(__dojo_philox* s) {
  if (s->has_normal) {
    s->has_normal = 0;
    return float(s->next_normal);
  }
  const float2 pair = curand_normal2(s);
  s->has_normal = 1;
  s->next_normal = pair.y;
  return pair.x;
}
static inline double curand_normal_double(__dojo_philox* s) {
  if (s->has_normal) {
    s->has_normal = 0;
    return s->next_normal;
  }
  const double2 pair = curand_normal2_double(s);
  s->has_normal = 1;
  s->next_normal = pair.y;
  return pair.x;
}
static inline float4 curand_normal4(__dojo_philox* s) {
  const float2 a = curand_normal2(s), b = curand_normal2(s);
  return make_float4(a.x, a.y, b.x, b.y);
}
static inline float curand_log_normal(__dojo_philox* s, float mean, float deviation) {
  return expf(mean + deviation * curand_normal(s));
}
static inline double curand_log_normal_double(__dojo_philox* s, double mean, double deviation) {
  return exp(mean + deviation * curand_normal_double(s));
}
/// Counts how many uniform factors keep their product above e^-lambda; a large lambda is taken as normal.
static inline unsigned int curand_poisson(__dojo_philox* s, double lambda) {
  if (lambda > 64) {
    const double v = lambda + sqrt(lambda) * curand_normal_double(s) + 0.5;
    return v < 0 ? 0 : (unsigned int)v;
  }
  const double limit = exp(-lambda);
  double product = curand_uniform_double(s);
  unsigned int n = 0;
  for (; product > limit; ++n) product *= curand_uniform_double(s);
  return n;
}
DOJO_SHIM_END
