#pragma once
#include "cinttypes"
