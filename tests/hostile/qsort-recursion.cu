// expect: finding
// A comparison that sorts by itself.
#include <cstdlib>
int values[64];
int compare(const void*, const void*) { qsort(values, 64, 4, compare); return 0; }
void reduce(const float* in, float* partials, int n) {
  qsort(values, 64, 4, compare);
}
