#pragma once
// What texture and surface instructions share: the image behind a handle, coordinates, and accesses whose
// lanes touch several texels each.
#include <string>
#include <vector>

#include "simt/ops/lanes.hpp"
#include "simt/state/access.hpp"
#include "simt/textures/image.hpp"

namespace dojo::simt::textures {

/// Geometry and form of an instruction, packed into Inst::sub.
struct Form {
  uint8_t dimensions = 2;  ///< without layers
  bool layered = false;
  bool integer = false;  ///< coordinates are integers (tex1Dfetch)
  bool gather = false;
  uint8_t component = 0;  ///< of a gather; of a surface, 1: it is written
  bool cube = false;      ///< three coordinates, a direction; the faces have two dimensions
  uint8_t packed() const {
    return uint8_t(dimensions | layered << 2 | integer << 3 | gather << 4 | component << 5 | cube << 7);
  }
  static Form of(uint8_t bits) {
    return {uint8_t(bits & 3),   bool(bits >> 2 & 1),    bool(bits >> 3 & 1),
            bool(bits >> 4 & 1), uint8_t(bits >> 5 & 3), bool(bits >> 7 & 1)};
  }
};
/// From the opcode's geometry (1d, a2d ...); refuses what the machine lacks. `coordinates`: how many the
/// operand must have at least.
Form form_of(Decoder&, size_t* coordinates);

/// The image of a lane's handle. Ends the run with a finding where there is none, or it was destroyed, or its
/// memory was freed, or it has other dimensions than the instruction.
const Image& image_of_lane(Exec&, const Inst*, uint64_t handle, uint32_t lane, Image::Kind, const Form&);
/// "img", the array or memory behind an image.
std::string name_of(Exec&, const Image&);
/// "tex2D" or "surf2Dwrite", as the program calls the instruction.
std::string call_name(const Form&, const Inst*);

/// One texel (or several bytes of a surface) that a lane touches.
struct Touch {
  uint32_t lane = 0;
  uint64_t address = 0;  ///< where its bytes are
  uint64_t counted = 0;  ///< where they are counted (image.hpp)
};

/// An access in the making.
struct Access {
  std::vector<Touch> touches;
  uint32_t mask = 0;     ///< lanes
  uint32_t samples = 0;  ///< for the texture units: of up to 32 bits each
};
/// Counts sectors and lines and notes them for caches and time.
void count(Exec&, const Inst*, const Access&, uint32_t bytes, LineAccess::Kind);
/// Races, bytes that nothing wrote, and what this launch itself has written: textures and surface reads need
/// not see that.
void check(Exec&, const Inst*, const Access&, uint32_t bytes, bool write);

}  // namespace dojo::simt::textures
