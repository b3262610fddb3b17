#pragma once
// The buffers of a lab's instance on a device: placed and filled before the entry is called, read back after.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "run/execute.hpp"

namespace dojo::run {

/// Where a buffer of the instance was placed, and what the student's own function calls it: by the parameter
/// that gets it, else by the lab's name.
struct Placed {
  uint64_t address = 0, bytes = 0;
  std::string name;
};

/// Allocates the instance's buffers and writes their content; outputs hold no plausible result. Throws Error
/// where the size does not fit the device.
std::vector<Placed> place(const Job&, const Compiled&, Device&);
/// Writes the content of the job's instance into arrays that place() made for another one. False, and nothing
/// is written, where an array has another size or was freed.
bool refill(const Job&, const std::vector<Placed>&, Device&);
/// The entry's arguments as bytes, buffers by their address.
std::vector<std::vector<std::byte>> arguments(const Instance&, const std::vector<Placed>&);
/// The bytes of a buffer after the run; empty when the program freed it.
std::vector<std::byte> read_buffer(Device&, const Placed&);

}  // namespace dojo::run
