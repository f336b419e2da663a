#include "fiducial/synth/chest_shapes.h"

#include <algorithm>
#include <cmath>

namespace fiducial {

double square(double value) { return value * value; }

double dot(const Vec3& a, const Vec3& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

Vec3 difference(const Vec3& a, const Vec3& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }

Vec3 unit(const Vec3& v) {
  const double length = std::sqrt(dot(v, v));
  return {v[0] / length, v[1] / length, v[2] / length};
}

Vec3 cross(const Vec3& a, const Vec3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

double bump(double x) { return x <= -1 || x >= 1 ? 0.0 : square(1 - x * x); }

double Tube::distance(const Vec3& p) const {
  const Vec3 along = difference(to, from);
  const Vec3 offset = difference(p, from);
  const double length2 = dot(along, along);
  const double t = length2 > 0 ? std::clamp(dot(offset, along) / length2, 0.0, 1.0) : 0.0;
  const Vec3 nearest{offset[0] - t * along[0], offset[1] - t * along[1], offset[2] - t * along[2]};
  return std::sqrt(dot(nearest, nearest)) - (radius_from + t * (radius_to - radius_from));
}

double Ellipsoid::level(const Vec3& p) const {
  const Vec3 offset = difference(p, centre);
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += square(dot(offset, axes[i]) / radii[i]);
  return sum;
}

double Oval::distance(double x, double y) const {
  const double dy = y - centre_y;
  const double u2 = square(x / half_width);
  const double v2 = square(dy / half_depth);
  const double level = std::sqrt(u2 + v2 - squareness * std::min(u2, 1.5) * std::min(v2, 1.5));
  if (level < 1e-3) return -std::min(half_width, half_depth);
  return std::sqrt(x * x + dy * dy) * (1 - 1 / level);
}

}  // namespace fiducial
