// expect: finding
// Another program.
extern "C" int execve(const char*, char* const*, char* const*);
void reduce(const float* in, float* partials, int n) {
  execve("/bin/sh", 0, 0);
}