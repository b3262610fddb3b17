#pragma once
#include "cstdarg"
