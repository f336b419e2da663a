# fiducial_hide_libraries(<files> <library>...)
#
# Copies shared libraries under private names (tools/hide_libraries.py) and sets <files> to the copies. Each becomes
# an imported target fiducial_<name>_hidden and is installed beside what links it. In the build tree they lie where an
# installed tree has them, so that one run path serves both.
function(fiducial_hide_libraries out)
  execute_process(COMMAND ${FIDUCIAL_PYTHON} ${PROJECT_SOURCE_DIR}/tools/hide_libraries.py
                          ${CMAKE_BINARY_DIR}/lib/fiducial ${ARGN}
                  OUTPUT_VARIABLE copies OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  string(REPLACE "\n" ";" copies "${copies}")
  foreach(copy IN LISTS copies)
    get_filename_component(name ${copy} NAME)
    string(REGEX REPLACE "^fid([^.]+)\\..*$" "fiducial_\\1_hidden" name ${name})
    add_library(${name} SHARED IMPORTED GLOBAL)
    set_target_properties(${name} PROPERTIES IMPORTED_LOCATION ${copy})
    set_property(GLOBAL APPEND PROPERTY FIDUCIAL_HIDDEN_LIBRARIES ${copy})
  endforeach()
  set(${out} ${copies} PARENT_SCOPE)
endfunction()

# Removes copies that earlier settings left in the build tree.
function(fiducial_forget_old_copies)
  get_property(hidden GLOBAL PROPERTY FIDUCIAL_HIDDEN_LIBRARIES)
  file(GLOB old ${CMAKE_BINARY_DIR}/lib/fiducial/fid*)
  foreach(file IN LISTS old)
    if(NOT file IN_LIST hidden)
      file(REMOVE ${file})
    endif()
  endforeach()
endfunction()

# fiducial_run_path(<target> <folders>)
#
# Where a program of ours looks for its libraries, in the build tree as when it is installed. CMake would otherwise pad a
# shorter path of the build tree with colons, to edit it in place later: an empty element is the current folder, and whoever
# fills that folder would have their code run.
function(fiducial_run_path target folders)
  set_target_properties(${target} PROPERTIES BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "${folders}")
endfunction()

# fiducial_install_reader(<folder> <libraries> <component> [EXCLUDE_FROM_ALL])
#
# The process that reads DICOM, in what is shipped with GDCM and all that needs. It is alone in its process, so they keep
# their names.
function(fiducial_install_reader folder libraries component)
  if(NOT FIDUCIAL_BUNDLE)
    install(TARGETS fiducial-dicom RUNTIME DESTINATION ${folder} COMPONENT ${component} ${ARGN})
    return()
  endif()
  install(TARGETS fiducial-dicom RUNTIME_DEPENDENCY_SET dicom_${component}
          RUNTIME DESTINATION ${folder} COMPONENT ${component} ${ARGN})
  install(RUNTIME_DEPENDENCY_SET dicom_${component}
          PRE_EXCLUDE_REGEXES "^fid" "^lib(c|m|stdc\\+\\+|gcc_s|pthread|dl|rt)\\.so" "^ld-linux"
          LIBRARY DESTINATION ${libraries} COMPONENT ${component} ${ARGN})
  # One file under the name it is looked for: a wheel would hold a link and its target as two copies.
  install(CODE "file(GLOB links \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${libraries}/lib*.so.*\")
    foreach(link IN LISTS links)
      if(IS_SYMLINK \${link})
        file(READ_SYMLINK \${link} file)
        file(RENAME \$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${libraries}/\${file} \${link})
      endif()
    endforeach()" COMPONENT ${component} ${ARGN})
endfunction()

# fiducial_install_plain_archives(<folder>)
#
# Takes out of installed archives what link-time optimisation put beside the machine code: only the very compiler that wrote
# it could read it.
function(fiducial_install_plain_archives folder)
  install(CODE "file(GLOB archives \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/${folder}/libfiducial_*.a\")
    foreach(archive IN LISTS archives)
      execute_process(COMMAND ${CMAKE_STRIP} --strip-debug -R .gnu.lto_* -R .gnu.debuglto_* -N __gnu_lto_slim -N __gnu_lto_v1
                              \${archive} COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
endfunction()
