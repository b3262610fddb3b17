// Running sums of each tile of 512 ints, by Blelloch, with one unused word behind every 32: lanes
// whose elements lie a power of two apart find them in different banks.
// Bound by barriers: nineteen of them, and in most rounds few threads have work.
constexpr int tile = 512;
constexpr int threads = tile / 2;

/// Where element i lies in shared memory.
__device__ int padded(int i) { return i + i / 32; }

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile + tile / 32];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile + t;  // this thread's elements: i and i + threads
  const int a = i < n ? in[i] : 0;
  const int b = i + threads < n ? in[i + threads] : 0;
  s[padded(t)] = a;
  s[padded(t + threads)] = b;

  for (int stride = 1; stride < tile; stride *= 2) {  // up: s[right] becomes the sum of both halves
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < tile) s[padded(right)] += s[padded(right - stride)];
  }
  if (t == 0) s[padded(tile - 1)] = 0;  // nothing stands before the whole tile
  for (int stride = tile / 2; stride > 0; stride /= 2) {  // down: the sum before each half
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < tile) {
      const int before = s[padded(right)];
      s[padded(right)] = before + s[padded(right - stride)];
      s[padded(right - stride)] = before;
    }
  }
  __syncthreads();
  if (i < n) out[i] = s[padded(t)] + a;
  if (i + threads < n) out[i + threads] = s[padded(t + threads)] + b;
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, threads>>>(in, out, n);
}
