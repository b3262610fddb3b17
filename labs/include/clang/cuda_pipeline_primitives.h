// The primitives are those of cuda_pipeline.h.
#include "cuda_pipeline.h"
