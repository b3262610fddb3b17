#pragma once
#include "csignal"
