// libdeflate inflating whole files into memory.

#include <libdeflate.h>

#include "inflate_rival.h"

int main(int argc, char** argv) {
  libdeflate_decompressor* const decompressor = libdeflate_alloc_decompressor();
  return fiducial::bench::inflate_rival(argc, argv, [=](fiducial::ByteView file, std::span<std::byte> out) {
    return libdeflate_gzip_decompress(decompressor, file.data(), file.size(), out.data(), out.size(),
                                      nullptr) == LIBDEFLATE_SUCCESS;
  });
}
