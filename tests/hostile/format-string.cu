// expect: finding
// Formats that read and write memory.
void reduce(const float* in, float* partials, int n) {
  printf("%n%n%s%s%1000000000d%*d", 1, 2, 3, 4, 5, 6);
}