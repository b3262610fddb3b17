// lazy: first-launch/2-index
// expect: gate threads >= n / 4
__global__ void number_kernel(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = i;
}

void number(int* out, int n) { number_kernel<<<1, 256>>>(out, n); }
