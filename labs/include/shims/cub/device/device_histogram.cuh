#pragma once
#include "../../dojo_cub_device.hpp"
