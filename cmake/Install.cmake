# cmake --install: the command, the library with its headers, and find_package(fiducial) for projects that use it.
#
# Private copies of libraries lie in lib/fiducial, beside nothing of the system's.
include(CMakePackageConfigHelpers)
get_property(modules GLOBAL PROPERTY FIDUCIAL_MODULES)
get_property(hidden GLOBAL PROPERTY FIDUCIAL_HIDDEN_LIBRARIES)

install(TARGETS fiducial RUNTIME DESTINATION bin)
if(TARGET fiducial-dicom)
  fiducial_install_reader(bin lib/fiducial Unspecified)
endif()
install(TARGETS ${modules} fiducial_flags fiducial_arrow fiducial_inflaters fiducial_picture_codecs fiducial_xml
        EXPORT fiducial_modules
        ARCHIVE DESTINATION lib/fiducial)
install(FILES ${hidden} DESTINATION lib/fiducial)
if(FIDUCIAL_BUNDLE)
  install(FILES ${FIDUCIAL_LIBDEFLATE} DESTINATION lib/fiducial)
endif()
get_property(tree_only GLOBAL PROPERTY FIDUCIAL_TREE_ONLY)
foreach(name IN LISTS tree_only)
  list(APPEND not_installed PATTERN "src/fiducial/${name}" EXCLUDE)
endforeach()
install(DIRECTORY src/fiducial DESTINATION include FILES_MATCHING PATTERN "*.h" PATTERN "*.def"
        PATTERN "*_example.h" EXCLUDE ${not_installed})
install(FILES ${PROJECT_BINARY_DIR}/generated/fiducial/base/version.h DESTINATION include/fiducial/base)
install(FILES LICENSE NOTICE DESTINATION share/doc/fiducial)
if(FIDUCIAL_BUNDLE)
  # Of the Python module only.
  install(DIRECTORY ${CMAKE_BINARY_DIR}/licences DESTINATION share/doc/fiducial
          PATTERN "nanobind-*" EXCLUDE PATTERN "robin-map-*" EXCLUDE)
  fiducial_install_plain_archives(lib/fiducial)
endif()

install(EXPORT fiducial_modules NAMESPACE fiducial:: DESTINATION lib/cmake/fiducial FILE fiducial-modules.cmake)
set(FIDUCIAL_MODULE_TARGETS ${modules})
list(TRANSFORM FIDUCIAL_MODULE_TARGETS PREPEND fiducial::)
set(FIDUCIAL_HIDDEN_NAMES "")
foreach(file IN LISTS hidden)
  get_filename_component(name ${file} NAME)
  list(APPEND FIDUCIAL_HIDDEN_NAMES ${name})
endforeach()
configure_package_config_file(cmake/fiducial-config.cmake.in ${CMAKE_BINARY_DIR}/fiducial-config.cmake
                              INSTALL_DESTINATION lib/cmake/fiducial)
write_basic_package_version_file(${CMAKE_BINARY_DIR}/fiducial-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/fiducial-config.cmake ${CMAKE_BINARY_DIR}/fiducial-config-version.cmake
        DESTINATION lib/cmake/fiducial)
