#pragma once

#include <array>

#include "fiducial/geometry/affine.h"

namespace fiducial {

// The solids a chest is built from. Points are millimetres in a chest of standard size: x to the patient's
// left, y to the back, z to the head. Only + - * / and sqrt are used, so that every machine agrees.

double square(double value);
double dot(const Vec3& a, const Vec3& b);
Vec3 difference(const Vec3& a, const Vec3& b);
Vec3 unit(const Vec3& v);
Vec3 cross(const Vec3& a, const Vec3& b);

// 1 at zero, falling smoothly to 0 at -1 and 1.
double bump(double x);

// A straight piece of pipe with round ends; the radius may change along it.
struct Tube {
  Vec3 from;
  Vec3 to;
  double radius_from = 1;
  double radius_to = 1;

  // How far a point lies outside the wall; negative inside.
  double distance(const Vec3& p) const;
  double largest_radius() const { return radius_from > radius_to ? radius_from : radius_to; }
};

struct Ellipsoid {
  Vec3 centre;
  std::array<Vec3, 3> axes;  // orthogonal unit vectors
  Vec3 radii;

  double level(const Vec3& p) const;  // below 1 inside; grows with the square of the distance
};

// An upright oval cross-section, between an ellipse and a rounded rectangle.
struct Oval {
  double centre_y = 0;
  double half_width = 1;
  double half_depth = 1;
  double squareness = 0.35;

  // How far a point lies outside, along the line from the centre; negative inside.
  double distance(double x, double y) const;
};

}  // namespace fiducial
