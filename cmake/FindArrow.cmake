# Defines fiducial_arrow: Arrow C++ with Parquet.
#
# An installed Arrow is taken as it is. Otherwise the headers inside the pinned pyarrow of the project's virtual
# environment are used, with private copies of its libraries: a process may import any pyarrow beside ours. Either
# way a small program that writes a Parquet file in memory is compiled, linked and run, so that an ABI that does not
# fit is a configure error and not a crash.
add_library(fiducial_arrow INTERFACE)
find_package(Arrow CONFIG QUIET)
find_package(Parquet CONFIG QUIET)
if(Arrow_FOUND AND Parquet_FOUND)
  set(arrow_libraries Parquet::parquet_shared Arrow::arrow_shared)
  target_link_libraries(fiducial_arrow INTERFACE ${arrow_libraries})
  message(STATUS "Arrow ${Arrow_VERSION} (installed)")
else()
  execute_process(
    COMMAND ${FIDUCIAL_PYTHON} -c
            "import os, sys, importlib.util as u, importlib.metadata as m; s = u.find_spec('pyarrow'); print(os.path.dirname(s.origin) + ';' + m.version('pyarrow'))"
    OUTPUT_VARIABLE found OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "No Arrow C++ package and no pyarrow in ${FIDUCIAL_PYTHON}: run ./dev setup")
  endif()
  list(GET found 0 pyarrow_dir)
  list(GET found 1 pyarrow_version)
  file(GLOB public_libraries ${pyarrow_dir}/libarrow.so.* ${pyarrow_dir}/libparquet.so.*)
  # S3 is a library of its own in newer wheels: loaded when the first s3:// URL is opened, linked by nothing.
  file(GLOB s3_library ${pyarrow_dir}/libarrow_s3.so.*)
  fiducial_hide_libraries(arrow_libraries ${public_libraries} ${s3_library})
  if(s3_library)
    list(FILTER arrow_libraries EXCLUDE REGEX "fidarrow_s3")
    get_filename_component(s3_name ${s3_library} NAME)
    string(REGEX REPLACE "^lib" "fid" FIDUCIAL_S3_LIBRARY ${s3_name})
  endif()
  set(arrow_includes ${pyarrow_dir}/include)
  target_link_libraries(fiducial_arrow INTERFACE fiducial_parquet_hidden fiducial_arrow_hidden)
  message(STATUS "Arrow ${pyarrow_version} (from pyarrow)")
endif()

target_include_directories(fiducial_arrow SYSTEM INTERFACE $<BUILD_INTERFACE:${arrow_includes}>)

if(NOT FIDUCIAL_ARROW_WORKS)
  try_run(arrow_exit arrow_compiled ${CMAKE_BINARY_DIR}/arrow_probe ${CMAKE_CURRENT_LIST_DIR}/arrow_probe.cpp
          CMAKE_FLAGS -DINCLUDE_DIRECTORIES=${arrow_includes}
          LINK_LIBRARIES ${arrow_libraries} CXX_STANDARD 20 CXX_STANDARD_REQUIRED ON
          COMPILE_OUTPUT_VARIABLE arrow_compile_text RUN_OUTPUT_VARIABLE arrow_run_text)
  if(NOT arrow_compiled)
    message(FATAL_ERROR "Arrow does not compile or link with this compiler:\n${arrow_compile_text}")
  elseif(NOT arrow_exit EQUAL 0)
    message(FATAL_ERROR "Arrow was linked but does not run (${arrow_exit}):\n${arrow_run_text}")
  endif()
  set(FIDUCIAL_ARROW_WORKS TRUE CACHE INTERNAL "the Arrow probe ran")
endif()
