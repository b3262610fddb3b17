#pragma once
// Known to every file (dojo_pre.hpp, dojo_clib.hpp).
