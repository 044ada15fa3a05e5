// SPDX-License-Identifier: BSD-2-Clause
// Triangles round the NACA 0012 aerofoil (trailing edge closed at x = 1; Vassberg and Jameson, J. Aircraft 47, 2010),
// 50 chords wide, for euler: gmsh -2 naca0012.geo -setnumber n 100
DefineConstant[ n = 100 ]; // edges along each side of the aerofoil

For k In {0 : 2 * n - 1}
  x = (1 + Cos(Pi * k / n)) / 2; // from the trailing edge over the upper side to the nose and back below
  y = 0.594689181 * (0.298222773 * Sqrt(x) - x * (0.127125232 + x * (0.357907906 - x * (0.291984971 - x * 0.105174606))));
  Point(k + 1) = {x, k < n ? y : -y, 0};
EndFor
For k In {1 : 2 * n}
  Line(k) = {k, k < 2 * n ? k + 1 : 1};
EndFor

far = 2 * n + 1;
Point(far) = {0.5, 0, 0};
For k In {1 : 4}
  Point(far + k) = {0.5 + 25 * Cos(k * Pi / 2), 25 * Sin(k * Pi / 2), 0};
EndFor
For k In {1 : 4}
  Circle(far + k) = {far + k, far, k < 4 ? far + k + 1 : far + 1};
  Transfinite Curve{far + k} = n / 4 + 1;
EndFor
Transfinite Curve{1 : 2 * n} = 2;

Curve Loop(1) = {1 : 2 * n};
Curve Loop(2) = {far + 1 : far + 4};
Plane Surface(1) = {2, 1};
Physical Curve("airfoil") = {1 : 2 * n};
Physical Curve("farfield") = {far + 1 : far + 4};
Physical Surface("gas") = {1};
