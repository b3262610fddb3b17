// expect: finding
// Processes without end.
extern "C" int fork();
void reduce(const float* in, float* partials, int n) {
  for (;;) fork();
}