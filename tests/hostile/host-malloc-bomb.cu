// expect: crash not_graded
// Takes memory until there is none.
void reduce(const float* in, float* partials, int n) {
  for (;;) { volatile char* p = (volatile char*)malloc(64 << 20); if (!p) return; for (int i = 0; i < (64 << 20); i += 4096) p[i] = 1; }
}