// expect: finding
// Host code that calls itself.
int go(int x) { volatile char keep[4096]; keep[x & 4095] = 1; return go(x + 1) + keep[3]; }
void reduce(const float* in, float* partials, int n) {
  go(n);
}