// expect: finding
// Calls into its own data.
void reduce(const float* in, float* partials, int n) {
  void (*volatile f)() = (void (*)())(unsigned long long)in; f();
}