# fiducial_module(<name> [USES <lower modules>] [LINKS <third-party targets>])
#
# One folder is one module: every *.cpp in it is compiled into fiducial_<name>, every *_test.cpp into
# fiducial_<name>_test. tools/check_layers.py reads the same USES words and fails on any other include.
function(fiducial_module name)
  cmake_parse_arguments(MODULE "" "" "USES;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM MODULE_USES PREPEND fiducial_)

  add_library(fiducial_${name} STATIC ${sources})
  set_property(GLOBAL APPEND PROPERTY FIDUCIAL_MODULES fiducial_${name})
  target_link_libraries(fiducial_${name} PUBLIC fiducial_flags ${MODULE_USES} PRIVATE ${MODULE_LINKS})
  if(FIDUCIAL_TESTS AND tests)
    add_executable(fiducial_${name}_test ${tests})
    target_link_libraries(fiducial_${name}_test PRIVATE fiducial_${name} ${MODULE_LINKS} GTest::gtest_main)
    gtest_discover_tests(fiducial_${name}_test TEST_PREFIX ${name}. WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                         PROPERTIES LABELS quick DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

# Adds every module folder in the order of layers.txt, bottom first.
function(fiducial_add_modules root)
  file(STRINGS ${PROJECT_SOURCE_DIR}/${root}/layers.txt layers REGEX "^[0-9]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${root}/layers.txt)
  list(SORT layers)
  foreach(layer IN LISTS layers)
    string(REGEX REPLACE "^[0-9]+ +" "" names "${layer}")
    separate_arguments(names)
    foreach(name IN LISTS names)
      if(EXISTS ${PROJECT_SOURCE_DIR}/${root}/${name}/CMakeLists.txt)
        add_subdirectory(${root}/${name})
      endif()
    endforeach()
  endforeach()
endfunction()
