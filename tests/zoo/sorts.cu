// Parts of sorts: bitonic networks, digit counts, merges, a sort within a warp.
#include "zoo.cuh"

__global__ void so_bitonic_block(const unsigned* in, unsigned* out) {
  __shared__ unsigned s[1024];
  const unsigned t = threadIdx.x;
  for (unsigned k = t; k < 1024; k += blockDim.x) s[k] = in[blockIdx.x * 1024 + k];
  __syncthreads();
  for (unsigned size = 2; size <= 1024; size *= 2)
    for (unsigned stride = size / 2; stride > 0; stride /= 2) {
      const unsigned low = 2 * t - (t & (stride - 1)), high = low + stride;
      const bool up = (low & size) == 0;
      const unsigned a = s[low], b = s[high];
      if ((a > b) == up) {
        s[low] = b;
        s[high] = a;
      }
      __syncthreads();
    }
  for (unsigned k = t; k < 1024; k += blockDim.x) out[blockIdx.x * 1024 + k] = s[k];
}

// One step of the network over global memory.
__global__ void so_bitonic_step(const float* in, float* out, int size, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x, partner = i ^ stride;
  const float a = in[i], b = in[partner];
  const bool up = (i & size) == 0, lower = i < partner;
  out[i] = lower == up ? fminf(a, b) : fmaxf(a, b);
}

// Counts of 4-bit digits, a private count per thread.
__global__ void so_digit_count(const unsigned* in, int shift, int per_block, unsigned* counts) {
  __shared__ unsigned short mine[16][128];
  for (int d = 0; d < 16; ++d) mine[d][threadIdx.x] = 0;
  for (int k = threadIdx.x; k < per_block; k += 128) {
    const unsigned d = in[blockIdx.x * per_block + k] >> shift & 15;
    ++mine[d][threadIdx.x];
  }
  __syncthreads();
  if (threadIdx.x < 16) {
    unsigned sum = 0;
    for (int k = 0; k < 128; ++k) sum += mine[threadIdx.x][k];
    counts[threadIdx.x * gridDim.x + blockIdx.x] = sum;
  }
}

// Merges two sorted rows: each thread finds its part by a search along the diagonal.
__global__ void so_merge_path(const int* a, const int* b, int n, int* out, int each) {
  const int diagonal = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  if (diagonal >= 2 * n) return;
  int low = max(0, diagonal - n), high = min(diagonal, n);
  while (low < high) {
    const int middle = (low + high) / 2;
    if (a[middle] <= b[diagonal - 1 - middle])
      low = middle + 1;
    else
      high = middle;
  }
  int i = low, j = diagonal - low;
  for (int k = 0; k < each && diagonal + k < 2 * n; ++k) {
    if (j >= n || (i < n && a[i] <= b[j]))
      out[diagonal + k] = a[i++];
    else
      out[diagonal + k] = b[j++];
  }
}

// Every warp sorts rows of 32 with shuffles.
__global__ void so_warp_sort(const int* in, int* out, int rows) {
  const int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  for (int row = warp; row < rows; row += gridDim.x * blockDim.x / 32) {
    int v = in[row * 32 + lane];
    for (int size = 2; size <= 32; size *= 2)
      for (int stride = size / 2; stride > 0; stride /= 2) {
        const int other = __shfl_xor_sync(0xffffffffu, v, stride);
        const bool up = (lane & size) == 0, lower = (lane & stride) == 0;
        v = lower == up ? min(v, other) : max(v, other);
      }
    out[row * 32 + lane] = v * (lane + 1);
  }
}

int main(int argc, char** argv) {
  Zoo zoo(argc, argv);
  if (zoo.runs("so_bitonic_block")) {
    const int n = 40 * 1024;
    const auto in = random_words(n, 1);
    double sum = 0;
    for (unsigned v : in) sum += v;
    unsigned* out = zoo.zeros<unsigned>(n);
    so_bitonic_block<<<40, 512>>>(zoo.upload(in), out);
    zoo.expect("so_bitonic_block", out, n, sum);
    const auto sorted = zoo.download(out, n);
    for (int i = 0; i + 1 < 1024; ++i)
      if (sorted[i] > sorted[i + 1]) printf("not sorted at %d WRONG\n", i);
  }
  if (zoo.runs("so_bitonic_step")) {
    const int n = 262144;
    float* out = zoo.zeros<float>(n);
    so_bitonic_step<<<n / 512, 512>>>(zoo.upload(random_floats(n, 2)), out, 8192, 2048);
    zoo.show("so_bitonic_step", out, n);
  }
  if (zoo.runs("so_digit_count")) {
    unsigned* counts = zoo.zeros<unsigned>(16 * 80);
    so_digit_count<<<80, 128>>>(zoo.upload(random_words(80 * 2000, 3)), 8, 2000, counts);
    zoo.expect("so_digit_count", counts, 16 * 80, 80 * 2000);
  }
  if (zoo.runs("so_merge_path")) {
    const int n = 60000;
    std::vector<int> a(n), b(n);
    Random r{4};
    for (int i = 0, x = 0, y = 0; i < n; ++i) {
      a[i] = x += int(r.below(5));
      b[i] = y += int(r.below(5));
    }
    int* out = zoo.zeros<int>(2 * n);
    so_merge_path<<<(2 * n / 8 + 127) / 128, 128>>>(zoo.upload(a), zoo.upload(b), n, out, 8);
    zoo.show("so_merge_path", out, 2 * n);
  }
  if (zoo.runs("so_warp_sort")) {
    int* out = zoo.zeros<int>(3000 * 32);
    so_warp_sort<<<66, 256>>>(zoo.upload(random_ints(3000 * 32, 5, 10000)), out, 3000);
    zoo.show("so_warp_sort", out, 3000 * 32);
  }
  return zoo.done();
}
