// expect: wrong
// The environment.
#include <cstdlib>
#include <cstdio>
void reduce(const float* in, float* partials, int n) {
  const char* e = getenv("WARPDOJO_SECRET"); printf("[%s]", e ? e : "none");
}