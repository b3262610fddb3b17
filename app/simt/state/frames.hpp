#pragma once
// Frames: the registers of one activation of a function, pooled by function.
#include "simt/state/exec.hpp"

namespace dojo::simt {

Frame* new_frame(Exec&, const Code&);
void drop_frame(Exec&, Frame*);
/// Keeps the memory of all frames for later launches. No frame may be in use.
void keep_frame_memory(Exec&);
/// What some lanes hold of a function's frame goes into another frame of it: registers and parameters, laid
/// out as the decoder does.
void copy_lanes(const Frame& from, const Frame& to, uint32_t lanes);

}  // namespace dojo::simt
