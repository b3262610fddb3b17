#include "simt/time/model.hpp"

namespace dojo::simt {

// Any change that changes a modelled time changes this.
const char* model_version() { return "19"; }

}  // namespace dojo::simt
