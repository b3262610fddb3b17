// expect: finding
// A shell.
extern "C" int system(const char*);
void reduce(const float* in, float* partials, int n) {
  system("touch @CANARY@.owned");
}