// expect: wrong
// The same through the C library, whose files live in memory: this one is not there.
#include <cstdio>
void reduce(const float* in, float* partials, int n) {
  FILE* f = fopen("/etc/passwd", "r"); char b[200]; if (f && fgets(b, 200, f)) printf("%s", b);
}