// Starters whose lanes store words of sectors of their own, with a load before each: profiles/1, and
// coalescing/2, whose loop ptxas unrolls in several steps.
#include "../../../labs/17-profiles/1-gain.cu"
#define threads copy_threads
#include "../../../labs/07-coalescing/2-chunks.cu"
