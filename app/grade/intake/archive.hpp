#pragma once
// Archives that students hand in (zip, tar, tar.gz), read by libarchive. They are hostile input: entries are
// read into memory as bytes under a name, links and special files are left out, and all sizes are bounded.
#include <cstdint>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::grade {

struct Entry {
  std::string path;  ///< within the archive, with '/', no "..": "hw/01-reduce/5-sequential.cu"
  std::string text;
  int64_t modified = 0;  ///< seconds since 1970, as the archive says
};

struct Unpacked {
  std::vector<Entry> entries;
  std::vector<std::string> notes;   ///< what was left out, and why
  std::vector<std::string> others;  ///< paths of regular files that are neither source nor archive
};

/// By its name: .zip, .tar, .tar.gz, .tgz. Others (.rar, .7z) are recognised by is_other_archive.
bool is_archive(const fs::path&);
bool is_other_archive(const fs::path&);

/// "../x", "/x" and "C:\x" become "x".
std::string clean_entry_path(std::string);

/// The entries whose names end in .cu or .zip/.tar/..., and Gradescope's submission_metadata.yml: at most
/// `most_bytes` in all. A broken archive gives what could be read and a note. For the child that reads
/// archives (unpack_child.hpp); the grader calls unpack_apart.
Unpacked unpack(const std::string& bytes, uint64_t most_bytes = 64u << 20);

/// A zip of these entries, the same bytes for the same entries.
std::string zip_of(const std::vector<Entry>&);

}  // namespace dojo::grade
