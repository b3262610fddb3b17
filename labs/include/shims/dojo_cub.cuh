// <cub/cub.cuh> of a whole program: with the algorithms that launch kernels.
#pragma once
#include <cub/cub.cuh>
#include "dojo_cub_device.hpp"
#include "dojo_cub_histogram.hpp"
