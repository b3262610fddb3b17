#pragma once
#include "dojo_stdio.hpp"
