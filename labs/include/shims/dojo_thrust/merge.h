#pragma once
#include "set_operations.h"
