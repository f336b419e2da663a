#pragma once

#include <set>
#include <string>
#include <vector>

#include "fiducial/base/file.h"

namespace fiducial {

// A name as ids of the API are written: letters, digits, ".", "_" and "-"; everything else becomes "-".
std::string slug_of(std::string_view name);

// Ids for folders, one each, made of their names. Where several have one name, the first keeps it if the
// first may, and others take the folder above with them, then a number. None is one of those that are taken.
std::vector<std::string> unique_slugs(const std::vector<Path>& folders, bool first_keeps_name,
                                      std::set<std::string> taken = {});

}  // namespace fiducial
