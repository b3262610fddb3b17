// Number theory: transforms over a prime field, factors by chance, powers of numbers of 256 bits, and class
// numbers.
#include "zoo.cuh"

typedef unsigned long long u64;
typedef unsigned int u32;

static const u32 P = 998244353;  // 119 * 2^23 + 1, a primitive root is 3

__host__ __device__ inline u32 mul_p(u32 a, u32 b) { return u32(u64(a) * b % P); }

// The transform of 2048 numbers per block, in shared memory; root[k] is the k-th power of a 2048th root of
// one.
__global__ void nt_transform(const u32* in, const u32* root, u32* out, int log_n) {
  extern __shared__ u32 x[];
  const int n = 1 << log_n;
  for (int i = threadIdx.x; i < n; i += blockDim.x) x[__brev(i) >> (32 - log_n)] = in[blockIdx.x * n + i];
  __syncthreads();
  for (int half = 1; half < n; half *= 2) {
    for (int k = threadIdx.x; k < n / 2; k += blockDim.x) {
      const int inside = k & (half - 1), low = 2 * k - inside;
      const u32 a = x[low], b = mul_p(x[low + half], root[inside * (n / 2 / half)]);
      x[low] = a + b >= P ? a + b - P : a + b;
      x[low + half] = a >= b ? a - b : a + P - b;
    }
    __syncthreads();
  }
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[blockIdx.x * n + i] = x[i];
}

struct Montgomery {
  u64 n, inverse, one;

  __device__ explicit Montgomery(u64 modulus) : n(modulus), inverse(modulus) {
    for (int i = 0; i < 5; ++i) inverse *= 2 - n * inverse;  // modulo 2^64, twice the bits each time
    one = (0 - n) % n;
  }
  __device__ u64 product(u64 a, u64 b) const {
    const u64 high = __umul64hi(a, b), m = a * b * inverse, h = __umul64hi(m, n);
    return high >= h ? high - h : high + n - h;
  }
  __device__ u64 step(u64 x, u64 c) const {
    x = product(x, x) + c;
    return x >= n ? x - n : x;
  }
};

__device__ u64 common_divisor(u64 a, u64 b) {
  if (!a) return b;
  a >>= __ffsll(a) - 1;  // b is odd
  while (a != b) {
    if (a < b) {
      const u64 swap = a;
      a = b;
      b = swap;
    }
    a -= b;
    if (!a) break;
    a >>= __ffsll(a) - 1;
  }
  return b;
}

// Pollard's rho by Brent: products of differences, a common divisor every 16 steps; each thread has its own
// number.
__global__ void nt_find_factors(const u64* number, u64* factor, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Montgomery m(number[i]);
  u64 found = m.n;
  for (u64 c = 1; found == m.n && c < 30; ++c) {
    u64 fast = 2 + c, slow = fast, saved = fast, power = 1, length = 0;
    found = 1;
    while (found == 1) {
      u64 all = m.one;
      saved = fast;
      const u64 saved_slow = slow, saved_power = power, saved_length = length;
      for (int k = 0; k < 16; ++k) {
        if (length == power) slow = fast, power *= 2, length = 0;
        fast = m.step(fast, c);
        ++length;
        all = m.product(all, fast > slow ? fast - slow : slow - fast);
      }
      found = common_divisor(all, m.n);
      if (found != m.n) continue;
      // Both factors in one batch: step by step again.
      fast = saved, slow = saved_slow, power = saved_power, length = saved_length;
      found = 1;
      while (found == 1) {
        if (length == power) slow = fast, power *= 2, length = 0;
        fast = m.step(fast, c);
        ++length;
        found = common_divisor(fast > slow ? fast - slow : slow - fast, m.n);
      }
    }
  }
  factor[i] = found;
}

constexpr int LIMBS = 8;
struct Wide {
  u32 limb[LIMBS];
};
__constant__ Wide modulus, square_of_r;

// a * b / 2^256 modulo the modulus, which is below 2^255.
__device__ Wide wide_product(const Wide& a, const Wide& b, u32 inverse) {
  u32 t[LIMBS + 1] = {};
#pragma unroll
  for (int i = 0; i < LIMBS; ++i) {
    u64 carry = 0;
#pragma unroll
    for (int j = 0; j < LIMBS; ++j) {
      carry += u64(a.limb[i]) * b.limb[j] + t[j];
      t[j] = u32(carry);
      carry >>= 32;
    }
    const u64 top = carry + t[LIMBS];
    const u32 m = t[0] * inverse;
    carry = (u64(m) * modulus.limb[0] + t[0]) >> 32;
#pragma unroll
    for (int j = 1; j < LIMBS; ++j) {
      carry += u64(m) * modulus.limb[j] + t[j];
      t[j - 1] = u32(carry);
      carry >>= 32;
    }
    carry += top;
    t[LIMBS - 1] = u32(carry);
    t[LIMBS] = u32(carry >> 32);
  }
  Wide less, result;
  u64 borrow = 0;
#pragma unroll
  for (int j = 0; j < LIMBS; ++j) {
    const u64 d = u64(t[j]) - modulus.limb[j] - borrow;
    less.limb[j] = u32(d);
    borrow = d >> 63;
  }
#pragma unroll
  for (int j = 0; j < LIMBS; ++j) result.limb[j] = borrow && !t[LIMBS] ? t[j] : less.limb[j];
  return result;
}

// The 65537th power, as a signature is verified. Bounded to 32 registers, fewer than its numbers need.
__global__ void __launch_bounds__(128, 16) nt_raise_wide(const u32* base, u32* power, u32 inverse, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Wide x, one = {{1}};
#pragma unroll
  for (int j = 0; j < LIMBS; ++j) x.limb[j] = base[j * n + i];
  x = wide_product(x, square_of_r, inverse);
  Wide y = x;
#pragma unroll 1
  for (int k = 0; k < 16; ++k) y = wide_product(y, y, inverse);
  y = wide_product(wide_product(y, x, inverse), one, inverse);
#pragma unroll
  for (int j = 0; j < LIMBS; ++j) power[j * n + i] = y.limb[j];
}

// How many reduced forms a x^2 + b x y + c y^2 have the discriminant -d: those with |b| <= a <= c.
__global__ void nt_count_forms(int* forms, int first, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int d = first + i;
  int count = 0;
  if (d % 4 == 0 || d % 4 == 3)
    for (int b = d & 1; 3 * b * b <= d; b += 2) {
      const int product = (b * b + d) / 4;
      for (int a = b > 1 ? b : 1; a * a <= product; ++a)
        if (product % a == 0) count += b == 0 || a == b || a * a == product ? 1 : 2;
    }
  forms[i] = count;
}

static u32 power_p(u32 x, u32 e) {
  u32 y = 1;
  for (; e; e >>= 1, x = mul_p(x, x))
    if (e & 1) y = mul_p(y, x);
  return y;
}

static void transform(Zoo& zoo) {
  const int log_n = 11, n = 1 << log_n, blocks = 280;
  std::vector<u32> in = random_words(n * blocks, 1), root(n / 2);
  for (u32& x : in) x %= P;
  const u32 w = power_p(3, (P - 1) / n);
  for (int k = 0; k < n / 2; ++k) root[k] = power_p(w, u32(k));
  u32* out = zoo.zeros<u32>(n * blocks);
  nt_transform<<<blocks, 256, n * sizeof(u32)>>>(zoo.upload(in), zoo.upload(root), out, log_n);
  const auto want = [&](size_t i) {
    const u32 x = power_p(w, u32(i % n));
    u32 sum = 0;
    for (int k = n - 1; k >= 0; --k) sum = u32((u64(mul_p(sum, x)) + in[i / n * n + k]) % P);
    return sum;
  };
  zoo.expect_each("nt_transform", out, n * blocks, 4001, want, 1e-12);
}

static void find_factors(Zoo& zoo) {
  std::vector<u64> prime;
  for (u64 p = 9001; prime.size() < 900; p += 2) {
    bool is = true;
    for (u64 d = 3; d * d <= p && is; d += 2) is = p % d != 0;
    if (is) prime.push_back(p);
  }
  const int n = 6000;
  std::vector<u64> number(n);
  Random r{2};
  for (u64& x : number) {
    const u32 a = r.below(900), b = (a + 1 + r.below(899)) % 900;
    x = prime[a] * prime[b];
  }
  u64* factor = zoo.zeros<u64>(n);
  nt_find_factors<<<(n + 95) / 96, 96>>>(zoo.upload(number), factor, n);
  const auto got = zoo.download(factor, n);
  std::vector<double> smaller(n);
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    const bool right = got[i] > 1 && got[i] < number[i] && number[i] % got[i] == 0;
    wrong += !right;
    smaller[i] = right ? double(got[i] < number[i] / got[i] ? got[i] : number[i] / got[i]) : 0;
  }
  zoo.show("nt_find_factors", zoo.upload(smaller), n);
  zoo.require("nt_find_factors", wrong == 0, "each number is divided by its factor");
}

// x + y modulo m, for m below 2^255.
static Wide wide_sum(const Wide& x, const Wide& y, const Wide& m) {
  Wide sum, less;
  u64 carry = 0, borrow = 0;
  for (int j = 0; j < LIMBS; ++j) {
    carry += u64(x.limb[j]) + y.limb[j];
    sum.limb[j] = u32(carry);
    carry >>= 32;
    const u64 d = u64(sum.limb[j]) - m.limb[j] - borrow;
    less.limb[j] = u32(d);
    borrow = d >> 63;
  }
  return borrow ? sum : less;
}

static Wide slow_product(const Wide& x, const Wide& y, const Wide& m) {
  Wide sum = {};
  for (int bit = 32 * LIMBS - 1; bit >= 0; --bit) {
    sum = wide_sum(sum, sum, m);
    if (y.limb[bit / 32] >> bit % 32 & 1) sum = wide_sum(sum, x, m);
  }
  return sum;
}

static void raise_wide(Zoo& zoo) {
  const int n = 15000;
  const auto words = random_words(LIMBS, 3);
  Wide m, r = {{1}};
  for (int j = 0; j < LIMBS; ++j) m.limb[j] = words[j];
  m.limb[0] |= 1;
  m.limb[LIMBS - 1] = (m.limb[LIMBS - 1] & 0x3fffffffu) | 0x40000000u;
  for (int k = 0; k < 64 * LIMBS; ++k) r = wide_sum(r, r, m);
  zoo.ok(cudaMemcpyToSymbol(modulus, &m, sizeof m));
  zoo.ok(cudaMemcpyToSymbol(square_of_r, &r, sizeof r));
  u32 inverse = 1;
  for (int k = 0; k < 5; ++k) inverse *= 2 - m.limb[0] * inverse;
  auto base = random_words(LIMBS * n, 4);
  for (int i = 0; i < n; ++i) base[(LIMBS - 1) * n + i] &= 0x3fffffffu;
  u32* power = zoo.zeros<u32>(LIMBS * n);
  nt_raise_wide<<<(n + 127) / 128, 128>>>(zoo.upload(base), power, 0 - inverse, n);
  zoo.show("nt_raise_wide", power, LIMBS * n);
  const auto got = zoo.download(power, LIMBS * n);
  int wrong = 0;
  for (int i = 0; i < n; i += 499) {
    Wide x;
    for (int j = 0; j < LIMBS; ++j) x.limb[j] = base[j * n + i];
    Wide y = x;
    for (int k = 0; k < 16; ++k) y = slow_product(y, y, m);
    y = slow_product(y, x, m);
    for (int j = 0; j < LIMBS; ++j) wrong += got[j * n + i] != y.limb[j];
  }
  zoo.require("nt_raise_wide", wrong == 0, "powers are as by doubling and adding");
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("nt_transform")) transform(zoo);
  if (zoo.runs("nt_find_factors")) find_factors(zoo);
  if (zoo.runs("nt_raise_wide")) raise_wide(zoo);
  if (zoo.runs("nt_count_forms")) {
    const int first = 3, n = 9000;
    int* forms = zoo.zeros<int>(n);
    nt_count_forms<<<(n + 63) / 64, 64>>>(forms, first, n);
    std::vector<int> want(n);
    for (int a = 1; 3 * a * a < first + n; ++a)
      for (int b = -a + 1; b <= a; ++b)
        for (int c = a; 4 * a * c - b * b < first + n; ++c)
          if ((c > a || b >= 0) && 4 * a * c - b * b >= first) ++want[4 * a * c - b * b - first];
    zoo.expect_each(
        "nt_count_forms", forms, n, 1, [&](size_t i) { return want[i]; }, 1e-12);
  }
  return zoo.done();
}
