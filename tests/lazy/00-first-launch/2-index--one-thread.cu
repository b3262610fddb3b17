// lazy: first-launch/2-index
// expect: gate 32 * global_store_requests <= 1.1 * n
__global__ void number_kernel(int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i;
}

void number(int* out, int n) { number_kernel<<<1, 1>>>(out, n); }
