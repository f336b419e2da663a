# What can be switched, and the flags every target is compiled with.
option(FIDUCIAL_TESTS "Build the unit tests" OFF)
option(FIDUCIAL_PYTHON_MODULE "Build the Python package in build/python" OFF)
option(FIDUCIAL_BENCH "Build the benchmarks" OFF)
option(FIDUCIAL_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(FIDUCIAL_WEB "Build the web app into the command (needs Node; ./dev setup gets it)" ON)
option(FIDUCIAL_BATCHES "Compile several sources of a module as one" ON)
option(FIDUCIAL_BUNDLE "Carry private copies of ISA-L, zlib, libpng, libjpeg and expat, to be shipped" OFF)
option(FIDUCIAL_WERROR "Warnings are errors" OFF)
set(FIDUCIAL_SANITIZE "" CACHE STRING "Value of -fsanitize= for every target, e.g. address,undefined")

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
include(CheckPIESupported)
check_pie_supported(LANGUAGES CXX)  # programs are linked as such, not compiled only
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release)
endif()

# Archives hold machine code beside what link-time optimisation reads, so that other compilers can link them.
if(CMAKE_INTERPROCEDURAL_OPTIMIZATION AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(CMAKE_CXX_COMPILE_OPTIONS_IPO -flto=auto -ffat-lto-objects)
  add_link_options(-Wno-stringop-overflow)  # GCC 12 misreads std::string operator+ here, too
endif()

add_library(fiducial_flags INTERFACE)
target_compile_features(fiducial_flags INTERFACE cxx_std_20)
target_include_directories(fiducial_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src> $<INSTALL_INTERFACE:include>)
configure_file(${PROJECT_SOURCE_DIR}/cmake/version.h.in ${PROJECT_BINARY_DIR}/generated/fiducial/base/version.h @ONLY)
target_include_directories(fiducial_flags INTERFACE $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/generated>)
target_compile_options(fiducial_flags INTERFACE
  -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wsign-conversion -Wnon-virtual-dtor -Wold-style-cast
  # Designated initialisers name what they set on purpose; GCC 12 misreads std::string operator+ (PR 105651) and, with
  # few optimisations, the half of a std::variant that is not there.
  -Wno-missing-field-initializers $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>
  # A product of two doubles rounds the same way on every machine.
  -ffp-contract=off
  -fstack-protector-strong)
if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
  target_compile_options(fiducial_flags INTERFACE -march=x86-64-v2)
endif()
if(FIDUCIAL_WERROR)
  target_compile_options(fiducial_flags INTERFACE -Werror)
endif()
# Containers check every access, also where a sanitizer would find nothing wrong with the memory's layout.
target_compile_definitions(fiducial_flags INTERFACE _GLIBCXX_ASSERTIONS)
if(FIDUCIAL_SANITIZE)
  add_compile_options(-fsanitize=${FIDUCIAL_SANITIZE} -fno-sanitize-recover=all -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${FIDUCIAL_SANITIZE})
else()
  # What is shipped has more: checks of sizes that are known only as the program runs, guard pages that large frames cannot
  # jump, and marks where indirect jumps may land.
  set(fortify 2)
  if(FIDUCIAL_BUNDLE)
    set(fortify 3)
    target_compile_options(fiducial_flags INTERFACE -fstack-clash-protection)
    if(CMAKE_SYSTEM_PROCESSOR STREQUAL "x86_64")
      target_compile_options(fiducial_flags INTERFACE -fcf-protection=full)
    endif()
  endif()
  target_compile_definitions(fiducial_flags INTERFACE $<$<NOT:$<CONFIG:Debug>>:_FORTIFY_SOURCE=${fortify}>)
  add_link_options(-Wl,-z,relro,-z,now,-z,noexecstack)
endif()

# Who uses the installed library chooses flags of their own.
foreach(property IN ITEMS INTERFACE_COMPILE_OPTIONS INTERFACE_COMPILE_DEFINITIONS)
  get_target_property(flags fiducial_flags ${property})
  set_target_properties(fiducial_flags PROPERTIES ${property} "$<BUILD_INTERFACE:${flags}>")
endforeach()
