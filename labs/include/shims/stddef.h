#pragma once
#include "dojo_types.hpp"
