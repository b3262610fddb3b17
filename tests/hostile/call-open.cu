// expect: finding
// A file of the system.
extern "C" int open(const char*, int, ...); extern "C" long read(int, void*, unsigned long); extern "C" long write(int, const void*, unsigned long);
void reduce(const float* in, float* partials, int n) {
  int f = open("/etc/passwd", 0); char b[64]; read(f, b, 64); write(1, b, 64);
}