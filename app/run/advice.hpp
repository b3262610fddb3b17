#pragma once
// What bounds a run, in a sentence or two with the numbers: the same text in `warpdojo explain` and in the
// app.
#include <optional>
#include <string>
#include <vector>

#include "core/labs/lab.hpp"
#include "core/report.hpp"

namespace dojo::run {

struct Advice {
  std::string kind;  ///< "bound", "conflicts", "coalescing", "traffic", "lanes", "tail", "occupancy",
                     ///< "launch", "ceiling"
  std::string text;  ///< what it is, with the numbers, and what to do
  std::string lab;   ///< the lab that teaches it, e.g. "banks"; may be empty
  std::string file;  ///< the line that causes most of it, where the report has lines
  int line = 0;
  double weight = 0;  ///< share of the time that is at stake, 0..1, roughly: for the order
};

/// Most important first; empty for a run without launches.
std::vector<Advice> advise(const RunReport&, const ReportDevice&);

/// The one advice of a step's page, or nothing. What the reference of the step shows as well is not said: the
/// step asks for it, or the size is too small for it. Of the rest the step's own lab comes first, then what
/// costs most. Only then what bounds the run, where that is another resource than the reference's or the run
/// moves enough bytes for it to matter.
std::optional<Advice> main_advice(const Step&, const RunReport&, const RunReport* reference,
                                  const ReportDevice&);

/// What a plot calls a resource of LaunchReport::bounds ("lsu": "Load/store unit"); the key itself where it
/// has no name.
std::string resource_title(const std::string& key);

}  // namespace dojo::run
