// expect: timeout
// The same in small pieces.
void reduce(const float* in, float* partials, int n) {
  for (;;) if (!malloc(16)) return;
}