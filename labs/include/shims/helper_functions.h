#pragma once
// What the toolkit's samples take from their own helper headers.
#include "fstream"
#include "helper_image.h"
#include "helper_string.h"
#include "helper_timer.h"
#include "iostream"
#include "string"
#include "vector"
