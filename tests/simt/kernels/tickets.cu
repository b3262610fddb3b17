// Blocks that take their work from a counter: ticket by ticket, until none is left.
__global__ void tickets(unsigned* next, unsigned* taken_by, unsigned count) {
  __shared__ unsigned ticket;
  for (;;) {
    if (threadIdx.x == 0) ticket = atomicAdd(next, 1u);
    __syncthreads();
    const unsigned mine = ticket;
    if (mine >= count) break;
    if (threadIdx.x == 0) taken_by[mine] = blockIdx.x;
    __syncthreads();
  }
}
