# fiducial_module(<name> [HOT] [TREE_ONLY] [USES <lower modules>] [LINKS <third-party targets>])
#
# One folder is one module: every *.cpp in it is compiled into fiducial_<name>, every *_test.cpp into
# fiducial_<name>_test. tools/check_layers.py reads the same USES words and fails on any other include.
# Sources are compiled in batches (fiducial_batches), so a name without a header is given once in a module.
# HOT modules hold the loops over voxels, words and draws: they are optimised fully in the everyday build too.
# TREE_ONLY modules are not part of the library that is installed: the command links those that it uses.
function(fiducial_module name)
  cmake_parse_arguments(MODULE "HOT;TREE_ONLY" "" "USES;LINKS" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench)\\.cpp$")
  list(FILTER tests INCLUDE REGEX "_test\\.cpp$")
  list(TRANSFORM MODULE_USES PREPEND fiducial_)

  add_library(fiducial_${name} STATIC ${sources})
  fiducial_batches(fiducial_${name})
  if(MODULE_TREE_ONLY)
    set_property(GLOBAL APPEND PROPERTY FIDUCIAL_TREE_ONLY ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY FIDUCIAL_MODULES fiducial_${name})
  endif()
  target_link_libraries(fiducial_${name} PUBLIC fiducial_flags ${MODULE_USES} PRIVATE ${MODULE_LINKS})
  if(MODULE_HOT AND CMAKE_BUILD_TYPE STREQUAL "Release")
    target_compile_options(fiducial_${name} PRIVATE -O3)
  endif()
  if(FIDUCIAL_TESTS AND tests)
    add_executable(fiducial_${name}_test ${tests})
    fiducial_batches(fiducial_${name}_test)
    target_link_libraries(fiducial_${name}_test PRIVATE fiducial_${name} ${MODULE_LINKS} GTest::gtest_main)
    gtest_discover_tests(fiducial_${name}_test TEST_PREFIX ${name}. WORKING_DIRECTORY ${PROJECT_SOURCE_DIR}
                         PROPERTIES LABELS quick DISCOVERY_TIMEOUT 60)
  endif()
endfunction()

# Compiles several sources of a target as one where FIDUCIAL_BATCHES says so: half of the time of a build goes into
# reading the same headers again. Lists of things (all_*.cpp) stay by themselves: a line more compiles nothing else.
function(fiducial_batches target)
  get_target_property(lists ${target} SOURCES)
  list(FILTER lists INCLUDE REGEX "/all_[a-z_]+\\.cpp$")
  if(lists)
    set_source_files_properties(${lists} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ${FIDUCIAL_BATCHES} UNITY_BUILD_BATCH_SIZE 10)
endfunction()

# Adds every module folder in the order of layers.txt, bottom first.
function(fiducial_add_modules root)
  file(STRINGS ${PROJECT_SOURCE_DIR}/${root}/layers.txt layers REGEX "^[0-9]")
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${root}/layers.txt)
  list(SORT layers COMPARE NATURAL)
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

# fiducial_embed_texts(<module> <files>...)
#
# Compiles text files into the module: data/lexicon.txt becomes std::string_view fiducial::embedded_lexicon(), to be
# declared where it is used.
function(fiducial_embed_texts module)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/embedded_texts.cpp)
  set(body "#include <string_view>\n\nnamespace fiducial {\n\n")
  foreach(file IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${file})
    get_filename_component(name ${file} NAME_WE)
    file(READ ${file} content)
    string(APPEND body "std::string_view embedded_${name}();\nstd::string_view embedded_${name}() { return "
                       "R\"text(${content})text\"; }\n\n")
  endforeach()
  string(APPEND body "}  // namespace fiducial\n")
  file(CONFIGURE OUTPUT ${source} CONTENT "${body}" @ONLY)
  target_sources(fiducial_${module} PRIVATE ${source})
  set_source_files_properties(${source} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)  # no source of ours: not for clang-tidy
endfunction()
