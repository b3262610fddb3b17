#pragma once
#include <string>

#include "host/runtime.hpp"

namespace dojo::host {

/// The address of a text that a call returns and the program may keep, such as an error's name; the same text
/// has the same address. 0: there is no memory.
uint64_t kept_text(Call&, const std::string&);

}  // namespace dojo::host
