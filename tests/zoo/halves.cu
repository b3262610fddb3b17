// Half precision and dot products of bytes.
#include <cuda_fp16.h>

#include "zoo.cuh"

__global__ void hf_axpy_half2(const __half2* x, const __half2* y, float a, __half2* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const __half2 s = __float2half2_rn(a);
  if (i < n) out[i] = __hfma2(s, x[i], y[i]);
}

// A row per block: mean and variance in floats, values in halves.
__global__ void hf_layer_norm(const __half* in, __half* out, int columns) {
  __shared__ float sums[2][4];
  const __half* row = in + blockIdx.x * columns;
  float sum = 0, square = 0;
  for (int c = threadIdx.x; c < columns; c += 128) {
    const float v = __half2float(row[c]);
    sum += v;
    square += v * v;
  }
  for (int d = 16; d > 0; d /= 2) {
    sum += __shfl_xor_sync(0xffffffffu, sum, d);
    square += __shfl_xor_sync(0xffffffffu, square, d);
  }
  if (threadIdx.x % 32 == 0) {
    sums[0][threadIdx.x / 32] = sum;
    sums[1][threadIdx.x / 32] = square;
  }
  __syncthreads();
  sum = sums[0][0] + sums[0][1] + sums[0][2] + sums[0][3];
  square = sums[1][0] + sums[1][1] + sums[1][2] + sums[1][3];
  const float mean = sum / columns, scale = rsqrtf(square / columns - mean * mean + 1e-5f);
  for (int c = threadIdx.x; c < columns; c += 128)
    out[blockIdx.x * columns + c] = __float2half((__half2float(row[c]) - mean) * scale);
}

// Rows of signed bytes times a vector of bytes.
__global__ void hf_dp4a_rows(const int* a, const int* x, int* y, int words) {
  const int r = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  int sum = 0;
  for (int k = lane; k < words; k += 32) sum = __dp4a(a[r * words + k], x[k], sum);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_down_sync(0xffffffffu, sum, d);
  if (lane == 0) y[r] = sum;
}

__global__ void hf_polynomial(const __half* x, __half* y, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const __half v = x[i], a = __float2half(0.25f), b = __float2half(-0.5f), c = __float2half(0.125f);
  __half s = v;
  for (int k = 0; k < rounds; ++k) {
    s = __hfma(s, __hmul(v, a), b);
    s = __hadd(__hmul(s, s), c);
    if (__hgt(s, __float2half(1.0f))) s = __hsub(s, __float2half(1.0f));
  }
  y[i] = s;
}

// Floats to pairs of halves, clamped and scaled.
__global__ void hf_pack(const float4* in, uint2* out, float scale, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 v = in[i];
  const __half2 a = __floats2half2_rn(fminf(fmaxf(v.x * scale, -60000.0f), 60000.0f),
                                      fminf(fmaxf(v.y * scale, -60000.0f), 60000.0f));
  const __half2 b = __floats2half2_rn(fminf(fmaxf(v.z * scale, -60000.0f), 60000.0f),
                                      fminf(fmaxf(v.w * scale, -60000.0f), 60000.0f));
  out[i] = make_uint2(*(const unsigned*)&a, *(const unsigned*)&b);
}

double sum_of_halves(Zoo& zoo, const __half* from, size_t n) {
  double sum = 0;
  for (const __half& h : zoo.download(from, n)) sum += fabs(double(__half2float(h)));
  return sum;
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  std::vector<__half> x(400000);
  Random r{1};
  for (__half& h : x) h = __float2half(r.unit() - 0.5f);
  if (zoo.runs("hf_axpy_half2")) {
    const int n = 200000;
    const __half* in = zoo.upload(x);
    __half* out = zoo.zeros<__half>(2 * n);
    hf_axpy_half2<<<(n + 255) / 256, 256>>>((const __half2*)in, (const __half2*)zoo.upload(x), 0.75f,
                                            (__half2*)out, n);
    printf("hf_axpy_half2 %.5g\n", sum_of_halves(zoo, out, 2 * n));
  }
  if (zoo.runs("hf_layer_norm")) {
    __half* out = zoo.zeros<__half>(400 * 768);
    hf_layer_norm<<<400, 128>>>(zoo.upload(x), out, 768);
    printf("hf_layer_norm %.4g\n", sum_of_halves(zoo, out, 400 * 768));
  }
  if (zoo.runs("hf_dp4a_rows")) {
    const int rows = 1024, words = 200;
    std::vector<int> a(rows * words), v(words);
    for (int& w : a) w = int(r.next() << 8 ^ r.next());
    for (int& w : v) w = int(r.next() << 8 ^ r.next());
    int* y = zoo.zeros<int>(rows);
    hf_dp4a_rows<<<rows / 8, 256>>>(zoo.upload(a), zoo.upload(v), y, words);
    zoo.show("hf_dp4a_rows", y, rows);
  }
  if (zoo.runs("hf_polynomial")) {
    const int n = 50000;
    __half* y = zoo.zeros<__half>(n);
    hf_polynomial<<<(n + 191) / 192, 192>>>(zoo.upload(x), y, n, 40);
    printf("hf_polynomial %.5g\n", sum_of_halves(zoo, y, n));
  }
  if (zoo.runs("hf_pack")) {
    const int n = 120000;
    __half* out = zoo.zeros<__half>(4 * n);
    hf_pack<<<(n + 255) / 256, 256>>>((const float4*)zoo.upload(random_floats(4 * n, 2, -1, 1)), (uint2*)out,
                                      100.0f, n);
    printf("hf_pack %.5g\n", sum_of_halves(zoo, out, 4 * n));
  }
  return zoo.done();
}
