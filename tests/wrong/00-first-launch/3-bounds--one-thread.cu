// wrong: first-launch/3-bounds
// mistake: One thread that loops over everything is right, and leaves the whole GPU but one lane idle. Give each element its own thread.
// expect: gate_failed gate threads >= n / 4
__global__ void number_kernel(int* out, int n) {
  for (int i = 0; i < n; ++i) out[i] = i;
}

void number(int* out, int n) {
  if (n == 0) return;
  number_kernel<<<1, 1>>>(out, n);
}
