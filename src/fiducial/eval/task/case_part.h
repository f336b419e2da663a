#pragma once

#include <set>
#include <string>

namespace fiducial {

// The cases of a unit of work. Names that no unit lists, such as of files of no case, belong to the first
// unit, which is told all names for that.
class CasePart {
 public:
  CasePart(std::string name, std::set<std::string> cases)
      : name_(std::move(name)), cases_(std::move(cases)) {}

  // Makes it the first unit, which holds what is not listed.
  void take_strays(std::set<std::string> listed) {
    listed_ = std::move(listed);
    takes_strays_ = true;
  }

  const std::string& name() const { return name_; }  // for keys of journals
  bool holds(const std::string& name) const {
    return cases_.contains(name) || (takes_strays_ && !listed_.contains(name));
  }

 private:
  std::string name_;
  std::set<std::string> cases_;
  std::set<std::string> listed_;
  bool takes_strays_ = false;
};

}  // namespace fiducial
