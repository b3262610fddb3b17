#pragma once
// Reports of reference runs, kept between starts in the cache folder: a modelled run is exact, so the same
// file, problem, device, size and seed give the same report for a given build.
#include <map>
#include <optional>
#include <string>

#include "core/files/whole_file.hpp"
#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

/// Key of a reference run: a hash of all that its report depends on.
std::string cache_key(const Catalog&, const Step&, const std::string& source, const ReportDevice&,
                      const Size&, uint64_t seed, bool lines, bool blocks);
/// A report with one run, and the quantities of its problem as they were stored.
std::optional<Report> cache_load(const std::string& key);
/// Best effort: a read-only or full disk loses nothing but time.
void cache_store(const std::string& key, const RunReport&,
                 const std::map<std::string, double>& quantities = {});

}  // namespace dojo::run
