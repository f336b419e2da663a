# Inflaters, picture codecs and XML: fiducial_inflaters, fiducial_picture_codecs and fiducial_xml.
#
# They are the system's, and its updates reach us. What is shipped to other systems (FIDUCIAL_BUNDLE) carries them
# instead: libdeflate inside our own binaries, the others as private copies, because Debian's static ones cannot go
# into the Python module and a process may hold other versions of them beside ours.
pkg_check_modules(isal REQUIRED IMPORTED_TARGET libisal)
pkg_check_modules(libdeflate REQUIRED IMPORTED_TARGET libdeflate)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(JPEG REQUIRED)
find_package(EXPAT REQUIRED)

# The file of an imported library.
function(fiducial_library_file out target)
  foreach(property IN ITEMS IMPORTED_LOCATION_RELEASE IMPORTED_LOCATION)
    get_target_property(file ${target} ${property})
    if(file)
      set(${out} ${file} PARENT_SCOPE)
      return()
    endif()
  endforeach()
  message(FATAL_ERROR "${target}: no file")
endfunction()

add_library(fiducial_inflaters INTERFACE)
add_library(fiducial_picture_codecs INTERFACE)
add_library(fiducial_xml INTERFACE)
if(FIDUCIAL_BUNDLE)
  list(GET isal_LINK_LIBRARIES 0 files)
  foreach(target IN ITEMS JPEG::JPEG PNG::PNG ZLIB::ZLIB EXPAT::EXPAT)
    fiducial_library_file(file ${target})
    list(APPEND files ${file})
  endforeach()
  fiducial_hide_libraries(copies ${files})
  find_library(FIDUCIAL_LIBDEFLATE NAMES libdeflate.a HINTS ${libdeflate_LIBRARY_DIRS} REQUIRED)
  target_include_directories(fiducial_inflaters SYSTEM INTERFACE $<BUILD_INTERFACE:${isal_INCLUDE_DIRS}>
                                                                 $<BUILD_INTERFACE:${libdeflate_INCLUDE_DIRS}>)
  target_include_directories(fiducial_picture_codecs SYSTEM INTERFACE $<BUILD_INTERFACE:${PNG_INCLUDE_DIRS}>
                                                                      $<BUILD_INTERFACE:${JPEG_INCLUDE_DIRS}>)
  target_include_directories(fiducial_xml SYSTEM INTERFACE $<BUILD_INTERFACE:${EXPAT_INCLUDE_DIRS}>)
  target_link_libraries(fiducial_inflaters INTERFACE fiducial_isal_hidden $<BUILD_INTERFACE:${FIDUCIAL_LIBDEFLATE}>
                                                     $<INSTALL_INTERFACE:\${_IMPORT_PREFIX}/lib/fiducial/libdeflate.a>)
  target_link_libraries(fiducial_picture_codecs INTERFACE fiducial_jpeg_hidden fiducial_png16_hidden fiducial_z_hidden)
  target_link_libraries(fiducial_xml INTERFACE fiducial_expat_hidden)
else()
  target_link_libraries(fiducial_inflaters INTERFACE PkgConfig::isal PkgConfig::libdeflate)
  target_link_libraries(fiducial_picture_codecs INTERFACE JPEG::JPEG PNG::PNG ZLIB::ZLIB)
  target_link_libraries(fiducial_xml INTERFACE EXPAT::EXPAT)
endif()
fiducial_forget_old_copies()
