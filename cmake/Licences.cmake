# What we ship holds code of others: their licences go with it, gathered in build/licences.
function(fiducial_gather_licence name)
  file(GLOB found ${ARGN})
  foreach(file IN LISTS found)
    get_filename_component(part ${file} NAME)
    configure_file(${file} ${CMAKE_BINARY_DIR}/licences/${name}-${part} COPYONLY)
  endforeach()
endfunction()

file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/licences)
fiducial_gather_licence(arrow ${pyarrow_dir}/../pyarrow-${pyarrow_version}.dist-info/licenses/*.txt)
fiducial_gather_licence(nanobind ${pyarrow_dir}/../nanobind-*.dist-info/licenses/LICENSE)
foreach(package IN ITEMS libisal-dev libdeflate-dev libcli11-dev libgdcm3.0 libopenjp2-7 libcharls2
        libjpeg62-turbo-dev libpng-dev
        libexpat1 libjson-c5 libuuid1 zlib1g libssl3)
  fiducial_gather_licence(${package} /usr/share/doc/${package}/copyright)
endforeach()
