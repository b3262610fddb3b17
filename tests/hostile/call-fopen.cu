// expect: compile_error
// The same through the C library.
#include <cstdio>
void reduce(const float* in, float* partials, int n) {
  FILE* f = fopen("/etc/passwd", "r"); char b[200]; if (f && fgets(b, 200, f)) printf("%s", b);
}