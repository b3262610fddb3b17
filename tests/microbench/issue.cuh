// The loops of issue.cu, without a clock, so that the SIMT machine's time model can run the same ones (tests/simt/timing_issue.cpp).
// One block on an SM; what a turn takes is the difference of two runs.
#pragma once

/// 16 multiply-adds that wait for each other.
__global__ void chain_fma(float* out, int turns, float a, float b) {
  float x = out[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 16; ++k) x = x * a + b;
  out[threadIdx.x] = x;
}

/// The same, eight chains of two.
__global__ void chains_fma(float* out, int turns, float a, float b) {
  float x[8];
#pragma unroll
  for (int c = 0; c < 8; ++c) x[c] = out[threadIdx.x] + float(c);
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 2; ++k)
#pragma unroll
      for (int c = 0; c < 8; ++c) x[c] = x[c] * a + b;
  float sum = 0;
#pragma unroll
  for (int c = 0; c < 8; ++c) sum += x[c];
  out[threadIdx.x] = sum;
}

/// Eight exclusive ors and eight additions that wait for each other.
__global__ void chain_int(int* out, int turns, int a, int b) {
  int x = out[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) x = (x ^ a) + b;
  out[threadIdx.x] = x;
}

/// Multiply-adds and integer additions side by side, eight of each, in two chains.
__global__ void chain_both(float* out, int turns, float a, float b, int c) {
  float x = out[threadIdx.x];
  int y = threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) x = x * a + b, y = (y ^ c) + k;
  out[threadIdx.x] = x + float(y);
}

/// Regions that lanes may leave out, of 16 multiply-adds: they meet again behind each. Those with a number below `enter` go in.
template <int regions> __device__ void regions_of(float* out, int turns, float a, float b, int enter) {
  float x = out[threadIdx.x];
  const bool in = int(threadIdx.x & 31) < enter;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
#pragma unroll
    for (int r = 0; r < regions; ++r) {
      if (in) {
#pragma unroll
        for (int k = 0; k < 16; ++k) x = x * a + b;
        out[threadIdx.x] = x;
      }
      x = x * b + a;
    }
  }
  out[threadIdx.x] = x;
}
__global__ void region(float* out, int turns, float a, float b, int enter) { regions_of<1>(out, turns, a, b, enter); }
__global__ void regions(float* out, int turns, float a, float b, int enter) { regions_of<4>(out, turns, a, b, enter); }

/// Eight reciprocals and multiply-adds that wait for each other.
__global__ void reciprocal(float* out, int turns, float a, float b) {
  float x = out[threadIdx.x] + 1.5f;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("rcp.approx.ftz.f32 %0, %0;" : "+f"(x));
      x = x * a + b;
    }
  out[threadIdx.x] = x;
}

/// Eight upper halves of products, in two chains.
__global__ void chains_high(unsigned* out, int turns, unsigned a) {
  unsigned x = out[threadIdx.x], y = x + 7;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k) x = __umulhi(x, a) | 1, y = __umulhi(y, a) | 1;
  out[threadIdx.x] = x + y;
}

/// Eight sums of a 64-bit number and a product, in two chains: what an address takes.
__global__ void chains_wide(unsigned long long* out, int turns, unsigned a) {
  unsigned long long x = out[threadIdx.x], y = x + 7;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k) x += (unsigned long long)(unsigned)x * a, y += (unsigned long long)(unsigned)y * a;
  out[threadIdx.x] = x + y;
}

/// Eight multiply-adds of integers, in two chains.
__global__ void chains_mad(unsigned* out, int turns, unsigned a, unsigned b) {
  unsigned x = out[threadIdx.x], y = x + 7;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k) x = x * a + b, y = y * a + b;
  out[threadIdx.x] = x + y;
}

/// Sixteen operations of logic, in two chains.
__global__ void chains_logic(unsigned* out, int turns, unsigned a, unsigned b) {
  unsigned x = out[threadIdx.x], y = x + 7;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) x = __funnelshift_l(x, a, 3) ^ b, y = __funnelshift_l(y, a, 3) ^ b;
  out[threadIdx.x] = x + y;
}

/// Sixteen additions, in two chains.
__global__ void chains_add(unsigned* out, int turns, unsigned a, unsigned b) {
  unsigned x = out[threadIdx.x], y = x + 7;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      asm volatile("add.u32 %0, %0, %1;" : "+r"(x) : "r"(k & 1 ? a : b));
      asm volatile("add.u32 %0, %0, %1;" : "+r"(y) : "r"(k & 1 ? a : b));
    }
  out[threadIdx.x] = x + y;
}

/// Four divisions that wait for each other: a reciprocal, five multiply-adds, a check for rare operands.
__global__ void divide(float* out, int turns, float a) {
  float x = out[threadIdx.x] + 1.5f;
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k) x = a / x;
  out[threadIdx.x] = x;
}

/// Four remainders that wait for each other.
__global__ void remainder(unsigned* out, int turns, unsigned a, unsigned b) {
  unsigned x = out[threadIdx.x];
#pragma unroll 1
  for (int i = 0; i < turns; ++i)
#pragma unroll
    for (int k = 0; k < 4; ++k) x = (x + a) % b;
  out[threadIdx.x] = x;
}

/// The inner loop of a naive product: a word for all lanes and a line, both in the L1, and a multiply-add; eight a turn.
__global__ void product(const float* x, const float* y, float* out, int turns) {
  float sum = 0;
  const float* row = x + (threadIdx.x / 32) * 8;
#pragma unroll 1
  for (int i = 0; i < turns; ++i) {
    const float* line = y + (i & 3) * 256 + threadIdx.x % 32;
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += row[k] * line[k * 32];
  }
  out[threadIdx.x] = sum;
}
