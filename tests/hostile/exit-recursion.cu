// expect: finding
// An exit function that registers itself and exits.
#include <cstdlib>
void again() { atexit(again); exit(1); }
void reduce(const float* in, float* partials, int n) {
  again();
}
