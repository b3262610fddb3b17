// expect: finding
// Shared memory in host code.
void reduce(const float* in, float* partials, int n) {
  asm volatile("{.shared .align 8 .b8 z[16]; .reg .b32 r; ld.shared.u32 r, [z]; st.shared.u32 [z], r;}");
}
