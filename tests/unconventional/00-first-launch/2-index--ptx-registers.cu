// unconventional: first-launch/2-index
template <class Functor>
__global__ void for_each(int n, Functor functor) {
  unsigned block, size, thread;
  asm("mov.u32 %0, %ctaid.x;" : "=r"(block));
  asm("mov.u32 %0, %ntid.x;" : "=r"(size));
  asm("mov.u32 %0, %tid.x;" : "=r"(thread));
  const int i = int(block * size + thread);
  if (i < n) functor(i);
}
struct Number {
  int* out;
  __device__ void operator()(int i) const { out[i] = i; }
};
void number(int* out, int n) {
  if (n > 0) for_each<<<(n + 127) / 128, 128>>>(n, Number{out});
}
