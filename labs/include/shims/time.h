#pragma once
#include "ctime"
