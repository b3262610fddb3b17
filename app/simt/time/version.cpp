#include "simt/time/version.hpp"

namespace dojo::simt {

const char* model_version() { return "36"; }

}  // namespace dojo::simt
