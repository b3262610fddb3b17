#pragma once
// Times of what students write: of starters and of the solutions in tests/lazy and tests/unconventional, on a
// GPU and modelled. The references are tuned, so that they say little of how a slow kernel's time is
// modelled.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"

namespace dojo::run {

/// A file that solves a step, or begins to.
struct Solution {
  const Step* step = nullptr;
  std::string kind;  ///< "reference", "starter", "lazy" or "unconventional"
  fs::path file;
  std::string name;  ///< below the checkout: "tests/lazy/17-profiles/1-gain--loads-only.cu"
};
/// Of these steps, by step: the reference first. The catalog must outlive them.
std::vector<Solution> solutions(const Catalog&, const std::vector<const Step*>&);

/// What a GPU took for a file at the size at which its gates are judged.
struct SolutionTime {
  std::string file, step, size;  ///< Solution::name, "profiles/1-gain", "n=4194304"
  uint64_t print = 0;            ///< the source's fingerprint (core/fingerprint.hpp)
  double us = 0, us_min = 0, us_max = 0;
  double modelled_us = 0;  ///< 0: not modelled
};
/// Throws Error naming file and line.
std::vector<SolutionTime> load_solution_times(const fs::path&);
/// `head`: lines that say where the times are from. Throws Error when the file can't be written.
void save_solution_times(const fs::path&, const std::string& head, const std::vector<SolutionTime>&);
/// assets/recordings/h100-solutions.txt of "simt:h100" or "h100": lines of a name, a step, a size, a
/// fingerprint and three times.
fs::path solution_times_path(std::string device);

/// K of the step's gate `time_us <= K * reference(self)`. None where a toy device judges it: a GPU's times
/// say nothing of that.
std::optional<double> time_bound(const Step&);

/// A solution whose time gate says one thing of the modelled times and another of the GPU's.
struct Disagreement {
  SolutionTime time;
  double bound = 0, modelled = 0, recorded = 0;  ///< times over the reference's
};
/// Of all rows that have both times and whose step has a time gate and a reference among the rows. `judged`
/// gets their number.
std::vector<Disagreement> disagreements(const Catalog&, const std::vector<SolutionTime>&, int* judged);

/// The errors by kind, the files that are more than 40 % off, and the disagreements, in Markdown.
std::string solutions_text(const Catalog&, const std::vector<SolutionTime>&);

}  // namespace dojo::run
