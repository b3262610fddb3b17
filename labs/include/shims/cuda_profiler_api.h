// The runtime's interface is read before every file (dojo_pre.hpp).
#pragma once
