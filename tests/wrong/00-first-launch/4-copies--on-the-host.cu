// wrong: first-launch/4-copies
// mistake: The loop runs on the host, so nothing is launched. Copy the arrays to the device and launch the kernel there.
// expect: gate_failed gate launches == 1
void saxpy(float a, const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
