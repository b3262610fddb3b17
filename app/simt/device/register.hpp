#pragma once

namespace dojo::simt {

/// Makes "simt:*" known to open_device: one device per file of assets/devices.
void register_simt();

}  // namespace dojo::simt
