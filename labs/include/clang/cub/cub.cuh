// CUB with clang: of the block's primitives BlockReduce.
#pragma once
#include "block/block_reduce.cuh"
