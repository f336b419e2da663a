# Everything we link against, as imported targets. find_package only: nothing is downloaded here.
find_package(Threads REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
if(SKBUILD)
  set(FIDUCIAL_PYTHON ${Python_EXECUTABLE})  # of the environment that the wheel is built in
endif()
set(FIDUCIAL_PYTHON "${PROJECT_SOURCE_DIR}/.venv/bin/python" CACHE FILEPATH "Python that has pyarrow")
include(HiddenLibraries)
include(FindArrow)
include(BundledLibraries)
include(FindGdcm)
include(FindWire)
include(Licences)
find_path(FIDUCIAL_CURL_INCLUDE curl/curl.h REQUIRED)  # headers alone: the library is loaded when it is needed
if(FIDUCIAL_TESTS)
  find_package(GTest REQUIRED)
  include(GoogleTest)
endif()
