#pragma once
// What a lab is: data in labs/NN-name/lab.toml, one brief (.md) and one kernel (.cu) a step, and a
// problem.cpp. docs/adding-a-lab.md describes the file for authors.
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace dojo {

namespace fs = std::filesystem;

/// A published figure shown beside what runs.
struct Published {
  std::string what, value, gpu, source;  ///< gpu: "GPU not stated" where the source names none
  double time_us = 0, gbps = 0;          ///< for bars, when given
  std::string note;
  Size size;  ///< that it was taken at: a time is a bar beside runs of this size only, a rate beside any
};

/// The curve that a lab is about: an extent on one axis, a figure of a run on the other.
struct Curve {
  std::vector<std::string>
      extents;                  ///< set to the axis's value together; empty: the step has no curve of its own
  std::vector<int64_t> values;  ///< of the axis, in order
  double volume = 0;            ///< when not 0, the extent `other` is volume / value, at least 1
  std::string other;
  std::string y = "gbps";      ///< gate expression of a run
  std::string label = "GB/s";  ///< of y
  bool empty() const { return extents.empty(); }
  Size at(int64_t value) const;  ///< the extents that the value sets
};

/// A bound that proves the point of a step, e.g. expr "shared_conflicts == 0",
/// "instructions <= 0.56 * reference(previous)", "shared_stores <= 8 * blocks" (see gate.hpp).
struct GateDef {
  std::string expr;
  std::string words;  ///< shown when it fails: which number, and why it matters
  double weight = 1;  ///< its part of the points that the step's gates share
};

/// One question the student answers before the first run.
struct Prediction {
  std::string question;
  std::string counter;   ///< answer = this gate expression's value in the reference's run ...
  std::string answer;    ///< ... or a fixed answer, when not a number of the run
  double tolerance = 0;  ///< relative, for numbers
  std::vector<std::string> choices;
  std::string explain;  ///< revealed with the result
};

struct Step {
  std::string lab;   ///< short name of the lab: "reduce"
  std::string name;  ///< "sequential"; several versions of one row have a name each
  int number = 0;    ///< 5; rows with several versions share it
  std::string title;
  std::string file;     ///< "5-sequential.cu", in the lab's folder and in reference/'s twin
  std::string before;   ///< file of the step before it in lab.toml; empty: none
  std::string brief;    ///< markdown text (from FILE.md)
  std::string entry;    ///< the host function that the runner calls
  std::string picture;  ///< the plot that shows the point: "time", "timeline", "bankmap", "addresses", ...
  std::vector<std::string> hints;
  std::vector<GateDef> gates;
  std::vector<Published> published;
  Curve curve;
  Prediction prediction;
  Size size;           ///< default on the SIMT machine
  Size gpu_size;       ///< default on a real GPU
  std::string device;  ///< default device
  Size gate_size;      ///< where gates are judged; empty: size
  Size check_size;     ///< a small, awkward size at which the student's file is also checked, compiled
                       ///< without optimisation (findings that the optimiser hides); empty: not done
  std::vector<Size> also_check;  ///< further ones: of whole packs and warps where check_size has a remainder
                                 ///< everywhere, of one element; a bound that is one too high shows
  double time_factor = 0;        ///< bound of the time beside the reference's where no gate is on it; 0: none
  std::map<std::string, double> params;  ///< handed to the problem ("elements_per_block" = 512 ...)
  std::map<std::string, std::string> options;
  bool mutates_input = false;
  bool open = false;  ///< any kernel; compared with a library on a real GPU
  std::string arch;   ///< "compute_75" unless the step needs more
  /// On a real GPU of just this architecture, compiled for it instead: "compute_90a" where a file uses
  /// instructions that only one generation has and keeps another way for all others. Usually empty.
  std::string gpu_arch;
  std::string stem() const { return file.substr(0, file.rfind('.')); }  ///< "5-sequential"
  std::string id() const { return lab + "/" + stem(); }                 ///< "reduce/5-sequential"
};

struct Lab {
  std::string name;  ///< "reduce"
  std::string title;
  int order = 0;
  fs::path folder;      ///< labs/01-reduce
  fs::path reference;   ///< reference/01-reduce (may be missing in a handout)
  std::string brief;    ///< brief.md
  std::string problem;  ///< key of the Problem that problem.cpp registers; default: name
  std::vector<Step> steps;
  /// Of a handout: steps that are no part of the course. Gates of `steps` compare with their references.
  std::vector<Step> compared;
};

/// All labs under ROOT/labs, by order. A broken lab.toml doesn't hide the others: it is reported in
/// `problems` (file, line, what) and left out. Throws Error only when there is no labs folder at all.
struct Catalog {
  std::vector<Lab> labs;
  std::vector<Diagnostic> problems;
  fs::path root;

  const Lab* find_lab(const std::string& name) const;
  /// "reduce/5", "reduce/sequential", "reduce/5-sequential", or the path of a student's or reference file.
  /// Throws Error naming the nearest match.
  const Step& find(const std::string& step) const;
  const Lab& lab_of(const Step&) const;
  /// A step whose reference gates compare with, written as for `find`: also one of Lab::compared.
  const Step& find_reference(const std::string& step) const;
  /// The step before this one in its lab, or null. In a handout it may be one of Lab::compared.
  const Step* previous(const Step&) const;
  fs::path student_file(const Step&) const;
  fs::path reference_file(const Step&) const;
};
Catalog load_catalog(const fs::path& root);

/// The root of the checkout or handout in use: $WARPDOJO_ROOT, else the nearest parent of the current
/// folder with labs/, else the student's copy of an installed program's labs (core/install/user_labs.hpp),
/// else the checkout that the program was built from.
fs::path find_root();

}  // namespace dojo
