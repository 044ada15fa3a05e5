/* SPDX-License-Identifier: BSD-2-Clause
 * Kernels of euler: the inviscid flow of a gas by finite volumes on the cells of an unstructured mesh, second
 * order in space and time. plait_embed_kernels makes each `void` function without `static` a kernel.
 *
 * The state of a cell is, per volume, its mass, momentum and energy: q = (rho, rho v, E). Primitive values
 * are w = (rho, v, p). A gas with the ratio `gas` of specific heats has E = p / (gas - 1) + rho v^2 / 2.
 * Lengths are those of the mesh; density and speed of sound of the free stream are 1, and its pressure is 1 /
 * gas.
 */
#include <math.h>
#include <plait.h>

#ifndef DIM
#define DIM 2
#endif

enum { D = DIM, N = DIM + 2, P = DIM + 1 }; /* P: the place of the pressure and of the energy */

static const double gas = 1.4;

/* ---- the gas ---- */

static double dot(const double *a, const double *b)
{
  double sum = 0;
  for (int i = 0; i < D; i++) sum += a[i] * b[i];
  return sum;
}

static double sound(const double *w)
{
  return sqrt(gas * w[P] / w[0]);
}

static double energy(const double *w)
{
  return w[P] / (gas - 1) + 0.5 * w[0] * dot(w + 1, w + 1);
}

static void primitive(const double *q, double *w)
{
  w[0] = q[0];
  for (int i = 1; i <= D; i++) w[i] = q[i] / q[0];
  w[P] = (gas - 1) * (q[P] - 0.5 * q[0] * dot(w + 1, w + 1));
}

static void conserved(const double *w, double *q)
{
  q[0] = w[0];
  for (int i = 1; i <= D; i++) q[i] = w[0] * w[i];
  q[P] = energy(w);
}

/* The flux from the state l to the state r through a face with this normal, whose length is the area of the
 * face: the approximate Riemann solver HLLC (Toro, Riemann Solvers and Numerical Methods for Fluid Dynamics,
 * section 10.4) with the wave speeds of Einfeldt. Between two waves the gas has one pressure and the velocity
 * `middle`. */
static void hllc(const double *l, const double *r, const double *normal, double *flux)
{
  const double area = sqrt(dot(normal, normal));
  double n[D], v[D];
  for (int i = 0; i < D; i++) n[i] = normal[i] / area;
  const double ul = dot(l + 1, n), ur = dot(r + 1, n), part = sqrt(r[0]) / (sqrt(l[0]) + sqrt(r[0]));
  for (int i = 0; i < D; i++) v[i] = (1 - part) * l[1 + i] + part * r[1 + i]; /* Roe's mean */
  const double enthalpy = (1 - part) * (energy(l) + l[P]) / l[0] + part * (energy(r) + r[P]) / r[0];
  const double c = sqrt(fmax((gas - 1) * (enthalpy - 0.5 * dot(v, v)), 0));
  const double left = fmin(ul - sound(l), dot(v, n) - c), right = fmax(ur + sound(r), dot(v, n) + c);
  const double ml = l[0] * (left - ul), mr = r[0] * (right - ur);
  const double middle = (r[P] - l[P] + ml * ul - mr * ur) / (ml - mr);

  const double *w = middle >= 0 ? l : r;
  const double u = middle >= 0 ? ul : ur, wave = middle >= 0 ? left : right, e = energy(w);
  double mass = w[0] * u, pressure = w[P], work = u * (e + w[P]);
  if (left < 0 && right > 0) { /* the face is between the waves */
    const double dense = w[0] * (wave - u) / (wave - middle), rise = w[P] / (w[0] * (wave - u));
    mass += wave * (dense - w[0]);
    pressure += wave * dense * (middle - u);
    work += wave * (dense * (e / w[0] + (middle - u) * (middle + rise)) - e);
  }
  flux[0] = area * mass;
  for (int i = 0; i < D; i++) flux[1 + i] = area * (mass * w[1 + i] + pressure * n[i]);
  flux[P] = area * work;
}

/* ---- gradients by least squares, limited ---- */

/* A cell fits a linear function to its neighbours, the cells that share a node with it. The sums of the fit
 * are collected at the nodes: of a node's cells k at x_k, the sums of w_k and of (x_k - x) w_k, and the least
 * and the greatest w_k, for each of the N values of w. */
enum { LEAST = 1 + DIM, GREATEST = 2 + DIM, SUMS = 3 + DIM };

void collect(const pl_row_double *w, const pl_row_double *centroid, const double *x, double *sums)
{
  for (int k = 0; k < N; k++) {
    double *s = sums + k * SUMS;
    for (int i = 0; i <= D; i++) s[i] = 0;
    s[LEAST] = 1e300;
    s[GREATEST] = -1e300;
    for (int j = 0; j < w->count; j++) {
      const double value = pl_at(w, j, k);
      s[0] += value;
      for (int i = 0; i < D; i++) s[1 + i] += (pl_at(centroid, j, i) - x[i]) * value;
      s[LEAST] = fmin(s[LEAST], value);
      s[GREATEST] = fmax(s[GREATEST], value);
    }
  }
}

/* The same for the geometry, once: the number of cells, the sums of (x_k - x) and of their products. */
enum { MOMENTS = 1 + DIM + DIM * DIM, FIT = DIM + DIM * DIM + 1 };

void collect_geometry(const pl_row_double *centroid, const double *x, double *moments)
{
  for (int m = 0; m < MOMENTS; m++) moments[m] = 0;
  for (int k = 0; k < centroid->count; k++) {
    double d[D];
    for (int i = 0; i < D; i++) d[i] = pl_at(centroid, k, i) - x[i];
    moments[0] += 1;
    for (int i = 0; i < D; i++) moments[1 + i] += d[i];
    for (int i = 0; i < D * D; i++) moments[1 + D + i] += d[i / D] * d[i % D];
  }
}

/* Inverts a symmetric positive definite matrix in place by Gauss and Jordan's method. */
static void invert(double *a)
{
  for (int k = 0; k < D; k++) {
    const double pivot = a[k * D + k];
    a[k * D + k] = 1;
    for (int j = 0; j < D; j++) a[k * D + j] /= pivot;
    for (int i = 0; i < D; i++) {
      const double factor = i == k ? 0 : a[i * D + k];
      if (i != k) a[i * D + k] = 0;
      for (int j = 0; j < D; j++) a[i * D + j] -= factor * a[k * D + j];
    }
  }
}

/* From the sums about the nodes x those about the cell: b, the sum of d_k = x_k - centroid, and the inverse
 * of the sum of d_k d_k^T; and the third power of the size of the cell. A little is added to the diagonal for
 * cells whose neighbours lie on a line. */
void prepare_fit(const double *centroid, const double *volume, const double *const *x,
                 const double *const *moments, const int *corners, double *fit)
{
  double *b = fit, *a = fit + D, trace = 0;
  for (int i = 0; i < FIT; i++) fit[i] = 0;
  for (int n = 0; n < *corners; n++) {
    const double *m = moments[n];
    double d[D];
    if (m[0] == 0) continue; /* no such corner */
    for (int i = 0; i < D; i++) d[i] = x[n][i] - centroid[i];
    for (int i = 0; i < D; i++) b[i] += m[1 + i] + m[0] * d[i];
    for (int i = 0; i < D; i++)
      for (int j = 0; j < D; j++)
        a[i * D + j] += m[1 + D + i * D + j] + m[1 + i] * d[j] + d[i] * m[1 + j] + m[0] * d[i] * d[j];
  }
  for (int i = 0; i < D; i++) trace += a[i * D + i];
  for (int i = 0; i < D; i++) a[i * D + i] += 1e-10 * trace;
  invert(a);
  fit[FIT - 1] = pow(*volume, 3.0 / D);
}

/* The limiter MLP-u2 (Park, Yoon, Kim, J. Comput. Phys. 229, 2010): Venkatakrishnan's function, so that at
 * each corner the linear function nearly stays between the least and the greatest value of the corner's
 * cells. `rise` is its difference to the cell at the corner, `room` what it may be; smaller ones than `small`
 * are free.
 */
static double limit(double rise, double room, double small2)
{
  const double most = room * room + small2 + 1e-300;
  return (most + 2 * rise * room) / (most + 2 * rise * rise + room * rise);
}

/* `limiter` is the K of Venkatakrishnan: differences of (K h)^(3/2) in a cell of size h are not limited.
 * Below 0: no limiter. */
void slopes(const double *w, const double *centroid, const double *const *x, const double *const *sums,
            const int *corners, const double *fit, const double *limiter, double *slope)
{
  const double small2 = *limiter * *limiter * *limiter * fit[FIT - 1];
  for (int k = 0; k < N; k++) {
    double b[D], least = 1, *g = slope + k * D;
    for (int i = 0; i < D; i++) b[i] = -fit[i] * w[k];
    for (int n = 0; n < *corners; n++)
      for (int i = 0; i < D; i++)
        b[i] += sums[n][k * SUMS + 1 + i] + (x[n][i] - centroid[i]) * sums[n][k * SUMS];
    for (int i = 0; i < D; i++) g[i] = dot(fit + D + i * D, b);
    for (int n = 0; n < *corners && *limiter >= 0; n++) {
      const double *s = sums[n] + k * SUMS;
      double d[D];
      if (sums[n][0] == 0) continue; /* no such corner: the sum of densities is above 0 */
      for (int i = 0; i < D; i++) d[i] = x[n][i] - centroid[i];
      const double rise = dot(g, d), room = rise > 0 ? s[GREATEST] - w[k] : s[LEAST] - w[k];
      least = fmin(least, limit(fabs(rise), fabs(room), small2));
    }
    for (int i = 0; i < D; i++) g[i] *= least;
  }
}

/* The values at the middle of a face; those of the cell where they would be no gas. */
static void at_face(const double *w, const double *slope, const double *centroid, const double *middle,
                    double *value)
{
  double d[D];
  for (int i = 0; i < D; i++) d[i] = middle[i] - centroid[i];
  for (int k = 0; k < N; k++) value[k] = w[k] + dot(slope + k * D, d);
  if (value[0] > 0 && value[P] > 0) return;
  for (int k = 0; k < N; k++) value[k] = w[k];
}

/* ---- fluxes: out of the cell is positive ---- */

void inner_flux(const double *const w[2], const double *const slope[2], const double *const centroid[2],
                const double *normal, const double *middle, double *out[2])
{
  double l[N], r[N], f[N];
  at_face(w[0], slope[0], centroid[0], middle, l);
  at_face(w[1], slope[1], centroid[1], middle, r);
  hllc(l, r, normal, f);
  for (int k = 0; k < N; k++) out[0][k] += f[k];
  for (int k = 0; k < N; k++) out[1][k] -= f[k];
}

/* No gas passes a slip wall: the pressure is all that acts on it. */
void wall_flux(const double *w, const double *slope, const double *centroid, const double *normal,
               const double *middle, double *out)
{
  double l[N];
  at_face(w, slope, centroid, middle, l);
  for (int i = 0; i < D; i++) out[1 + i] += l[P] * normal[i];
}

void wall_force(const double *w, const double *slope, const double *centroid, const double *normal,
                const double *middle, double *force)
{
  double l[N];
  at_face(w, slope, centroid, middle, l);
  for (int i = 0; i < D; i++) force[i] += l[P] * normal[i];
}

/* The far field: outside is the free stream. The Riemann solver takes from it only the waves that enter. */
void far_flux(const double *w, const double *slope, const double *centroid, const double *normal,
              const double *middle, const double *stream, double *out)
{
  double l[N], f[N];
  at_face(w, slope, centroid, middle, l);
  hllc(l, stream, normal, f);
  for (int k = 0; k < N; k++) out[k] += f[k];
}

/* ---- time steps ---- */

/* The sum over the faces of a cell of the speed of the fastest wave times the area. */
static double wave_speed(const double *w, const double *normal)
{
  return fabs(dot(w + 1, normal)) + sound(w) * sqrt(dot(normal, normal));
}

void inner_waves(const double *const w[2], const double *normal, double *waves[2])
{
  for (int side = 0; side < 2; side++) waves[side][0] += wave_speed(w[side], normal);
}

void boundary_waves(const double *w, const double *normal, double *waves)
{
  waves[0] += wave_speed(w, normal);
}

void local_step(const double *waves, const double *volume, const double *cfl, double *dt, double *shortest)
{
  dt[0] = 2 * *cfl * volume[0] / waves[0];
  shortest[0] = fmin(shortest[0], dt[0]);
}

void same_step(const double *step, double *dt)
{
  dt[0] = *step;
}

/* One stage of the Runge-Kutta method. */
void stage(const double *start, const double *out, const double *volume, const double *dt, const double *part,
           double *q, double *w)
{
  for (int k = 0; k < N; k++) q[k] = start[k] - *part * dt[0] / volume[0] * out[k];
  primitive(q, w);
}

/* The square of the rate of the density, for its root mean square. */
void rate(const double *out, const double *volume, double *sum)
{
  *sum += out[0] * out[0] / volume[0];
}

/* ---- implicit steps ---- */

/* The derivative of the flux through a face by q: N rows of N values, added `times` times. */
static void add_derivative(const double *w, const double *n, double times, double *rows, int width)
{
  const double u = dot(w + 1, n), half = 0.5 * (gas - 1) * dot(w + 1, w + 1);
  const double enthalpy = (energy(w) + w[P]) / w[0];
  for (int j = 0; j < D; j++) rows[1 + j] += times * n[j];
  for (int i = 0; i < D; i++) {
    double *row = rows + (1 + i) * width;
    row[0] += times * (half * n[i] - w[1 + i] * u);
    for (int j = 0; j < D; j++) row[1 + j] += times * (w[1 + i] * n[j] - (gas - 1) * w[1 + j] * n[i]);
    row[1 + i] += times * u;
    row[P] += times * (gas - 1) * n[i];
  }
  double *last = rows + P * width;
  last[0] += times * (half - enthalpy) * u;
  for (int j = 0; j < D; j++) last[1 + j] += times * (enthalpy * n[j] - (gas - 1) * u * w[1 + j]);
  last[P] += times * gas * u;
}

static void add_diagonal(double value, double *rows, int width)
{
  for (int k = 0; k < N; k++) rows[k * width + k] += value;
}

/* The matrix of an implicit step: the derivative of the fluxes of first order, (f_0 + f_1) / 2 + s (q_0 -
 * q_1) / 2 with the speed s of the fastest wave times the area, and volume / dt on the diagonal, which is s /
 * (2 cfl) for each face. */
void inner_matrix(const double *const w[2], const double *normal, const double *cfl, double *A)
{
  enum { WIDTH = 2 * N };
  const double s = 0.5 * fmax(wave_speed(w[0], normal), wave_speed(w[1], normal));
  for (int side = 0; side < 2; side++) {
    double *own = A + side * N * WIDTH, *other = A + (1 - side) * N * WIDTH, sign = side ? -0.5 : 0.5;
    add_derivative(w[side], normal, sign, own + side * N, WIDTH);
    add_derivative(w[side], normal, -sign, other + side * N, WIDTH);
    add_diagonal(s * (1 + 1 / *cfl), own + side * N, WIDTH);
    add_diagonal(-s, other + side * N, WIDTH);
  }
}

/* At a wall: the derivative of the pressure. */
void wall_matrix(const double *w, const double *n, const double *cfl, double *A)
{
  for (int i = 0; i < D; i++) {
    double *row = A + (1 + i) * N;
    row[0] += n[i] * 0.5 * (gas - 1) * dot(w + 1, w + 1);
    for (int j = 0; j < D; j++) row[1 + j] -= n[i] * (gas - 1) * w[1 + j];
    row[P] += n[i] * (gas - 1);
  }
  add_diagonal(0.5 * wave_speed(w, n) / *cfl, A, N);
}

void far_matrix(const double *w, const double *normal, const double *cfl, double *A)
{
  add_derivative(w, normal, 0.5, A, N);
  add_diagonal(0.5 * wave_speed(w, normal) * (1 + 1 / *cfl), A, N);
}

/* A change that would take more than half of the density or of the pressure is shortened. */
void correct(const double *change, double *q, double *w)
{
  double part = 1, old[N];
  for (int k = 0; k < N; k++) old[k] = q[k];
  const double density = 0.5 * w[0], pressure = 0.5 * w[P];
  for (int attempt = 0; attempt < 10; attempt++, part *= 0.5) {
    for (int k = 0; k < N; k++) q[k] = old[k] - part * change[k];
    primitive(q, w);
    if (w[0] > density && w[P] > pressure) break;
  }
}

/* ---- cases ---- */

void start_stream(const double *stream, double *q, double *w)
{
  for (int k = 0; k < N; k++) w[k] = stream[k];
  conserved(w, q);
}

/* The isentropic vortex (Shu 1998), of strength 5, which the stream carries: `centre` is where it is now. */
static void vortex(const double *x, const double *centre, const double *stream, double *w)
{
  const double dx = x[0] - centre[0], dy = x[1] - centre[1];
  const double strength = 5 / (2 * M_PI * sqrt(gas)) * exp(0.5 * (1 - dx * dx - dy * dy));
  for (int k = 0; k < N; k++) w[k] = stream[k];
  w[1] -= strength * dy;
  w[2] += strength * dx;
  w[0] = pow(1 - 0.5 * (gas - 1) * strength * strength, 1 / (gas - 1));
  w[P] = pow(w[0], gas) / gas;
}

void start_vortex(const double *centroid, const double *centre, const double *stream, double *q, double *w)
{
  vortex(centroid, centre, stream, w);
  conserved(w, q);
}

void vortex_error(const double *w, const double *centroid, const double *volume, const double *centre,
                  const double *stream, double *sum)
{
  double exact[N];
  vortex(centroid, centre, stream, exact);
  *sum += volume[0] * (w[0] - exact[0]) * (w[0] - exact[0]);
}

/* The integral of p / p_stream - 1. */
void excess_pressure(const double *w, const double *volume, double *sum)
{
  *sum += (gas * w[P] - 1) * volume[0];
}

void mach_number(const double *w, double *mach)
{
  *mach = sqrt(dot(w + 1, w + 1)) / sound(w);
}
