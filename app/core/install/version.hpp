#pragma once
#include <string>

namespace dojo {

/// "1.0.0"
std::string program_version();

}  // namespace dojo
