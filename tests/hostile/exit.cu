// expect: finding
// Ends the process.
#include <cstdlib>
void reduce(const float* in, float* partials, int n) {
  exit(0);
}