// expect: timeout
// Prints for ever.
void reduce(const float* in, float* partials, int n) {
  for (;;) printf("a long line of text that is printed again and again and again %d\n", n);
}