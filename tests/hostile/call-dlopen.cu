// expect: finding
// A library.
extern "C" void* dlopen(const char*, int);
void reduce(const float* in, float* partials, int n) {
  dlopen("libc.so.6", 1);
}