#pragma once
// Reports of reference runs, kept between starts in the cache folder: a modelled run is exact, so the same
// file, problem, device, size and seed give the same report for a given build.
#include <optional>
#include <string>

#include "core/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

/// Key of a reference run: a hash of all that its report depends on.
std::string cache_key(const Catalog&, const Step&, const std::string& source, const ReportDevice&,
                      const Size&, uint64_t seed, bool lines, bool blocks);
std::optional<RunReport> cache_load(const std::string& key);
/// Best effort: a read-only or full disk loses nothing but time.
void cache_store(const std::string& key, const RunReport&);

/// Writes a whole file or nothing: to a temporary name beside it, then renamed. False when that fails.
bool write_atomically(const fs::path&, const std::string& text);
/// The whole file, or nothing when it can't be read.
std::optional<std::string> read_file(const fs::path&);

}  // namespace dojo::run
