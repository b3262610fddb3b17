// expect: finding
// A call that the PTX module doesn't declare.
void reduce(const float* in, float* partials, int n) {
  asm volatile("call.uni fork;");
}