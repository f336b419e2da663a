# Everything we link against, as imported targets. find_package only: nothing is downloaded here.
find_package(Threads REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
if(SKBUILD)
  set(FIDUCIAL_PYTHON ${Python_EXECUTABLE})  # of the environment that the wheel is built in
endif()
set(FIDUCIAL_PYTHON "${PROJECT_SOURCE_DIR}/.venv/bin/python" CACHE FILEPATH "Python that has pyarrow")
include(HiddenLibraries)
include(FindArrow)
include(Licences)

# What we ship carries its inflaters: ISA-L as a private copy, libdeflate inside our own binaries.
add_library(fiducial_inflaters INTERFACE)
list(GET isal_LINK_LIBRARIES 0 isal_library)
fiducial_hide_libraries(isal_copy ${isal_library})
find_library(FIDUCIAL_LIBDEFLATE NAMES libdeflate.a libdeflate.so HINTS ${libdeflate_LIBRARY_DIRS} REQUIRED)
target_include_directories(fiducial_inflaters SYSTEM INTERFACE $<BUILD_INTERFACE:${isal_INCLUDE_DIRS}>
                                                               $<BUILD_INTERFACE:${libdeflate_INCLUDE_DIRS}>)
target_link_libraries(fiducial_inflaters INTERFACE fiducial_isal_hidden $<BUILD_INTERFACE:${FIDUCIAL_LIBDEFLATE}>
                                                   $<INSTALL_INTERFACE:\${_IMPORT_PREFIX}/lib/fiducial/libdeflate.a>)

# Pictures are read and written by private copies of libjpeg-turbo and libpng: Debian's static ones cannot go into the
# Python module.
add_library(fiducial_picture_codecs INTERFACE)
find_path(FIDUCIAL_PICTURE_HEADERS NAMES jpeglib.h png.h REQUIRED)
set(picture_libraries)
foreach(name IN ITEMS jpeg png16 z)
  find_library(FIDUCIAL_SHARED_${name} NAMES lib${name}.so REQUIRED)
  list(APPEND picture_libraries ${FIDUCIAL_SHARED_${name}})
endforeach()
fiducial_hide_libraries(picture_copies ${picture_libraries})
target_link_libraries(fiducial_picture_codecs INTERFACE fiducial_jpeg_hidden fiducial_png16_hidden fiducial_z_hidden)

include(FindGdcm)
if(FIDUCIAL_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
