// lazy: first-launch/4-copies
// expect: gate launches == 1
void saxpy(float a, const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = a * x[i] + y[i];
}
