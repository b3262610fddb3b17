// wrong: first-launch/2-index
// mistake: threadIdx.x * gridDim.x + blockIdx.x gives every thread its own i too, but consecutive lanes then write far apart: 32 sectors per store instead of 4. The block's offset is blockIdx.x * blockDim.x.
// expect: gate_failed gate global_store_sectors <= 1.1 * n / 8
constexpr int threads = 256;

__global__ void number_kernel(int* out, int n) {
  const int i = threadIdx.x * gridDim.x + blockIdx.x;
  out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  number_kernel<<<n / threads, threads>>>(out, n);
}
