// error: ignoring return
#include "fiducial/base/file.h"

void save() {
#ifdef MUST_COMPILE
  static_cast<void>(fiducial::write_file("a.txt", std::string_view("text")));
#else
  fiducial::write_file("a.txt", std::string_view("text"));
#endif
}
