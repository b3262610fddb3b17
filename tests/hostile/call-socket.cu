// expect: finding
// The network.
extern "C" int socket(int, int, int);
void reduce(const float* in, float* partials, int n) {
  socket(2, 1, 0);
}