// expect: compile_error
// The entry is a kernel.
__global__ void reduce(const float* in, float* partials, int n) { partials[0] = in[0]; }