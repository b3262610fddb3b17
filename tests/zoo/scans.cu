// Running sums and maxima.
#include "zoo.cuh"

// The work-efficient tree, 2048 elements per block of 1024, without padding.
__global__ void sc_tree_scan(const int* in, int* out) {
  __shared__ int s[2048];
  const int t = threadIdx.x, base = blockIdx.x * 2048;
  s[2 * t] = in[base + 2 * t];
  s[2 * t + 1] = in[base + 2 * t + 1];
  int offset = 1;
  for (int d = 1024; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) s[offset * (2 * t + 2) - 1] += s[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  if (t == 0) s[2047] = 0;
  for (int d = 1; d < 2048; d *= 2) {
    offset >>= 1;
    __syncthreads();
    if (t < d) {
      const int a = offset * (2 * t + 1) - 1, b = offset * (2 * t + 2) - 1, v = s[a];
      s[a] = s[b];
      s[b] += v;
    }
  }
  __syncthreads();
  out[base + 2 * t] = s[2 * t];
  out[base + 2 * t + 1] = s[2 * t + 1];
}

__global__ void sc_warp_scan(const float* in, float* out, float* sums, int n) {
  __shared__ float warps[8];
  const int i = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  float v = i < n ? in[i] : 0;
  for (int d = 1; d < 32; d *= 2) {
    const float u = __shfl_up_sync(0xffffffffu, v, d);
    if (lane >= d) v += u;
  }
  if (lane == 31) warps[warp] = v;
  __syncthreads();
  if (warp == 0) {
    float w = lane < 8 ? warps[lane] : 0;
    for (int d = 1; d < 8; d *= 2) {
      const float u = __shfl_up_sync(0xffffffffu, w, d);
      if (lane >= d) w += u;
    }
    if (lane < 8) warps[lane] = w;
  }
  __syncthreads();
  if (warp > 0) v += warps[warp - 1];
  if (i < n) out[i] = v;
  if (threadIdx.x == 255) sums[blockIdx.x] = v;
}

// Segmented sums: each flag starts a new one.
__global__ void sc_segmented_sum(const float* in, const unsigned char* flag, float* out) {
  __shared__ float value[512];
  __shared__ int head[512];
  const int t = threadIdx.x, i = blockIdx.x * 512 + t;
  float v = in[i];
  int h = flag[i];
  value[t] = v;
  head[t] = h;
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    float u = 0;
    int g = 0;
    if (t >= d) {
      u = value[t - d];
      g = head[t - d];
    }
    __syncthreads();
    if (t >= d) {
      if (!h) v += u;
      h |= g;
      value[t] = v;
      head[t] = h;
    }
    __syncthreads();
  }
  out[i] = v;
}

__global__ void sc_double_scan(const double* in, double* out) {
  __shared__ double s[2][512];
  const int t = threadIdx.x;
  int now = 0;
  s[0][t] = in[blockIdx.x * 512 + t];
  __syncthreads();
  for (int d = 1; d < 512; d *= 2) {
    s[1 - now][t] = t >= d ? s[now][t] + s[now][t - d] : s[now][t];
    now = 1 - now;
    __syncthreads();
  }
  out[blockIdx.x * 512 + t] = s[now][t];
}

// One block scans a long row, tile by tile.
__global__ void sc_running_max(const float* in, float* out, int n) {
  __shared__ float s[256];
  float carry = -1e30f;
  for (int base = 0; base < n; base += 256) {
    s[threadIdx.x] = in[base + threadIdx.x];
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
      const float u = threadIdx.x >= d ? s[threadIdx.x - d] : -1e30f;
      __syncthreads();
      s[threadIdx.x] = fmaxf(s[threadIdx.x], u);
      __syncthreads();
    }
    out[base + threadIdx.x] = fmaxf(carry, s[threadIdx.x]);
    carry = fmaxf(carry, s[255]);
    __syncthreads();
  }
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("sc_tree_scan")) {
    int* out = zoo.zeros<int>(20 * 2048);
    sc_tree_scan<<<20, 1024>>>(zoo.upload(random_ints(20 * 2048, 1, 10)), out);
    zoo.show("sc_tree_scan", out, 20 * 2048);
  }
  if (zoo.runs("sc_warp_scan")) {
    const int n = 120000;
    float* out = zoo.zeros<float>(n);
    sc_warp_scan<<<(n + 255) / 256, 256>>>(zoo.upload(random_floats(n, 2)), out, zoo.zeros<float>(500), n);
    zoo.show("sc_warp_scan", out, n);
  }
  if (zoo.runs("sc_segmented_sum")) {
    const int n = 100 * 512;
    std::vector<unsigned char> flag(n);
    Random r{3};
    for (auto& f : flag) f = r.below(20) == 0;
    float* out = zoo.zeros<float>(n);
    sc_segmented_sum<<<100, 512>>>(zoo.upload(random_floats(n, 4)), zoo.upload(flag), out);
    zoo.show("sc_segmented_sum", out, n);
  }
  if (zoo.runs("sc_double_scan")) {
    double* out = zoo.zeros<double>(8 * 512);
    sc_double_scan<<<8, 512>>>(zoo.upload(random_doubles(8 * 512, 5)), out);
    zoo.show("sc_double_scan", out, 8 * 512);
  }
  if (zoo.runs("sc_running_max")) {
    float* out = zoo.zeros<float>(8192);
    sc_running_max<<<1, 256>>>(zoo.upload(random_floats(8192, 6)), out, 8192);
    zoo.show("sc_running_max", out, 8192);
  }
  return zoo.done();
}
