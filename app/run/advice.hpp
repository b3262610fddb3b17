#pragma once
// What bounds a run, in a sentence or two with the numbers: the same text in `warpdojo explain` and in the
// app.
#include <string>
#include <vector>

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

/// What a plot calls a resource of LaunchReport::bounds ("lsu": "Load/store unit"); the key itself where it
/// has no name.
std::string resource_title(const std::string& key);

}  // namespace dojo::run
