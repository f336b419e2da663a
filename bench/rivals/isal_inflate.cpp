// ISA-L inflating whole files into memory.

#include <isa-l/igzip_lib.h>

#include "inflate_rival.h"

int main(int argc, char** argv) {
  return fiducial::bench::inflate_rival(argc, argv, [](fiducial::ByteView file, std::span<std::byte> out) {
    inflate_state state{};
    isal_inflate_init(&state);
    state.crc_flag = ISAL_GZIP;
    // ISA-L takes a mutable pointer but only reads.
    state.next_in = const_cast<std::uint8_t*>(reinterpret_cast<const std::uint8_t*>(file.data()));
    state.avail_in = static_cast<std::uint32_t>(file.size());
    state.next_out = reinterpret_cast<std::uint8_t*>(out.data());
    state.avail_out = static_cast<std::uint32_t>(out.size());
    return isal_inflate(&state) == ISAL_DECOMP_OK && state.block_state == ISAL_BLOCK_FINISH &&
           state.avail_out == 0;
  });
}
