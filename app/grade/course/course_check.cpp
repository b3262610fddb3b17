// What must hold before anything is graded or handed out.
#include <algorithm>

#include "core/error.hpp"
#include "grade/course/course.hpp"
#include "simt/gpu/device_model.hpp"
#include "simt/time/version.hpp"

namespace dojo::grade {

void check_course(const Course& course, const Catalog& catalog) {
  const std::string have = simt::model_version();
  if (!course.model_version.empty() && course.model_version != have)
    throw Error("the course pins model version " + course.model_version + ", this WarpDojo has " + have +
                ": use the version of the course, or change course.toml");
  // Without a run of the reference there is no grade: every row would say that the device isn't there.
  if (!course.device.empty() && !course.device.starts_with("simt:"))
    throw Error("a course is graded on a modelled GPU, such as simt:h100, not on " + course.device);
  if (!course.device.empty()) simt::device_model(course.device);
  for (const CourseStep& c : course.steps) {
    const Step& step = catalog.find(c.step);
    std::error_code ec;
    fs::path ptx = catalog.reference_file(step);
    ptx.replace_extension(".ptx");
    if (!fs::exists(catalog.reference_file(step), ec) && !fs::exists(ptx, ec))
      throw Error(c.step + " has no reference: there is nothing to hold a submission against");
  }
}

}  // namespace dojo::grade
