#pragma once

#include <string>

#include <nanobind/nanobind.h>

#include "fiducial/image/label_array.h"

namespace fiducial::python {

// A Python array's memory, held by the buffer protocol: it can be neither freed nor resized meanwhile.
class ArrayBuffer {
 public:
  // Raises BadUsage for what is no 3D array of integers or booleans; name says which argument it was.
  ArrayBuffer(const nanobind::object& array, const std::string& name);
  ~ArrayBuffer();
  ArrayBuffer(const ArrayBuffer&) = delete;
  ArrayBuffer& operator=(const ArrayBuffer&) = delete;

  const VoxelArray& voxels() const { return voxels_; }

 private:
  Py_buffer buffer_{};
  VoxelArray voxels_;
};

}  // namespace fiducial::python
