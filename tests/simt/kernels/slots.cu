// Every kernel of tests/microbench/slots.cu: slot<how a block ends>.
#include "../../microbench/slots.cuh"

#define SLOT(end) \
  __global__ void slot##end(float* out, int turns, int early) { slot_body<end>(out, turns, early); }
SLOT(0)
SLOT(1)
SLOT(2)
SLOT(3)
