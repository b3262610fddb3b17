// expect: timeout
// Host code that never ends.
void reduce(const float* in, float* partials, int n) {
  for (volatile int i = 0;; ++i) ;
}