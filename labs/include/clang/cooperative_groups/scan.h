// inclusive_scan() and exclusive_scan() are beside the groups.
#pragma once
#include <cooperative_groups.h>
