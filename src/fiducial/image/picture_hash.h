#pragma once

#include <cstdint>
#include <optional>

#include "fiducial/base/sha256.h"
#include "fiducial/image/picture.h"

namespace fiducial {

// The pixels in grey (ITU-R BT.601 luma, rounded), transparent ones over black.
Picture grey(const Picture& picture);

// SHA-256 of the size and the pixels as RGBA: equal for pictures that show the same, however they are stored.
// It depends on the decoder, see picture_decoders().
Digest pixel_digest(const Picture& picture);

// 64 bits that change little when a picture is scaled, recompressed, brightened or shifted a little: the
// signs of its lowest frequencies about their median (a DCT of 32 x 32 means, in integers, the same on every
// machine). Nothing for a picture so flat that the signs would be noise.
std::optional<std::uint64_t> perceptual_hash(const Picture& grey_picture);

// Pictures whose perceptual hashes differ in at most this many bits are called alike.
inline constexpr int alike_bits = 6;

}  // namespace fiducial
