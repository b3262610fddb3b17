// expect: finding
// Calls through a null pointer.
void reduce(const float* in, float* partials, int n) {
  void (*volatile f)() = 0; f();
}