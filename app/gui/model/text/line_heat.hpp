#pragma once
// Counters beside the source lines: one chosen metric per line, and what is wrong on which line.
#include <map>
#include <string>
#include <vector>

#include "core/report.hpp"

namespace dojo::gui {

/// What the gutter can show.
struct HeatMetric {
  const char* key;  ///< kept in the settings
  const char* title;
  const char* unit;
  std::vector<const char*> counters;  ///< summed, by Nsight name; one that ends in '*' is a prefix
  const char* help;
};
const std::vector<HeatMetric>& heat_metrics();
/// By key; the first metric when the key is unknown.
const HeatMetric& heat_metric(const std::string& key);

struct LineHeat {
  double value = 0;
  double share = 0;  ///< of the file's total, 0..1
  double heat = 0;   ///< of the hottest line, 0..1
};

/// The metric per line of one file, over all launches. `file` is matched by its last path component.
std::map<int, LineHeat> line_heat(const RunReport&, const std::string& file, const HeatMetric&);

/// Every counter that one line has, for its tooltip: title and value, largest first.
std::vector<std::pair<std::string, double>> line_counters(const RunReport&, const std::string& file,
                                                          int line);

/// Diagnostics that belong to a file, by line (also as the other side of a race).
struct LineMark {
  Severity severity = Severity::note;
  std::string message;
};
std::map<int, std::vector<LineMark>> line_marks(const RunReport&, const std::string& file);

/// Do two names of a line table mean one file? One may lack folders in front: "1-first.cu" is
/// "labs/01-demo/1-first.cu", but "a/util.cuh" is not "b/util.cuh".
bool same_file(const std::string& a, const std::string& b);

}  // namespace dojo::gui
