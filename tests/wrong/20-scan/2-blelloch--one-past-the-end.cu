// wrong: scan/2-blelloch
// mistake: The last thread that stores is thread n - 1. With <= thread n stores, too, one place past the end.
// expect: finding out_of_bounds
// Running sums of each tile of 512 ints, by Blelloch: a tree of sums on the way up, sums of all
// elements before on the way down.
// Bound by shared memory and latency: few additions, but lanes meet in the same banks.
constexpr int tile = 512;
constexpr int threads = tile / 2;

__global__ void scan_kernel(const int* in, int* out, int n) {
  __shared__ int s[tile];
  const int t = threadIdx.x;
  const int i = blockIdx.x * tile + t;  // this thread's elements: i and i + threads
  const int a = i < n ? in[i] : 0;
  const int b = i + threads < n ? in[i + threads] : 0;
  s[t] = a;
  s[t + threads] = b;

  for (int stride = 1; stride < tile; stride *= 2) {  // up: s[right] becomes the sum of both halves
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < tile) s[right] += s[right - stride];
  }
  if (t == 0) s[tile - 1] = 0;  // nothing stands before the whole tile
  for (int stride = tile / 2; stride > 0; stride /= 2) {  // down: the sum before each half
    __syncthreads();
    const int right = 2 * stride * (t + 1) - 1;
    if (right < tile) {
      const int before = s[right];
      s[right] = before + s[right - stride];
      s[right - stride] = before;
    }
  }
  __syncthreads();
  if (i <= n) out[i] = s[t] + a;
  if (i + threads < n) out[i + threads] = s[t + threads] + b;
}

void scan_tiles(const int* in, int* out, int n) {
  if (n == 0) return;
  scan_kernel<<<(n + tile - 1) / tile, threads>>>(in, out, n);
}
