// lazy: elementwise/6-add-vec4
// expect: gate global_load_lane_bytes >= 480 * global_load_requests
// Pairs of floats: half of what a load can bring.
constexpr int threads = 256;

__global__ void add_kernel(const float* a, const float* b, float* c, int first, int n) {
  const int pair = 2 * (first / 2 + blockIdx.x * blockDim.x + threadIdx.x);
  if (pair >= first && pair + 1 < n) {
    const float2 u = *reinterpret_cast<const float2*>(a + pair);
    const float2 v = *reinterpret_cast<const float2*>(b + pair);
    *reinterpret_cast<float2*>(c + pair) = make_float2(u.x + v.x, u.y + v.y);
  } else {
    for (int i = max(pair, first); i < min(pair + 2, n); ++i) c[i] = a[i] + b[i];
  }
}

void add(const float* a, const float* b, float* c, int first, int n) {
  if (first >= n) return;
  const int pairs = (n + 1) / 2 - first / 2;
  add_kernel<<<(pairs + threads - 1) / threads, threads>>>(a, b, c, first, n);
}
