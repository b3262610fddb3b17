#pragma once
// Archives are hostile input for a large native library: a child in the sandbox reads each of them
// (`worker --unpack`), and hands back names and bytes. A hole in libarchive is then one in that child, which
// sees no file but this archive.
#include <cstdint>
#include <string>

#include "grade/intake/archive.hpp"

namespace dojo::grade {

/// unpack() in a child. A child that dies or takes over two minutes gives what it had read, and a note.
/// `most_bytes`: of what is read in all, at most 64 MiB.
Unpacked unpack_apart(const std::string& bytes, uint64_t most_bytes = UINT64_MAX);
/// The same of a file, which is not held in memory here, without the 64 MiB.
Unpacked unpack_apart(const fs::path& file, uint64_t most_bytes);

/// The child's main: reads descriptor 3. Returns its exit status.
int unpack_child_main(const std::string& most_bytes);

}  // namespace dojo::grade
