#pragma once

namespace dojo::simt {

/// Version of the time model, e.g. "19": any change of a modelled time changes it. It stands in every report.
const char* model_version();

}  // namespace dojo::simt
