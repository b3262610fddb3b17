// expect: finding
// Writes to an address of its own choice.
void reduce(const float* in, float* partials, int n) {
  *(volatile int*)0x7fff00001234 = 1;
}