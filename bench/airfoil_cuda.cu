/* SPDX-License-Identifier: BSD-2-Clause
 * airfoil_cuda: airfoil written by hand in CUDA, the measure for Plait's airfoil on NVIDIA devices in the
 * same run. Same options, same output; knows nothing of the library.
 *
 * One kernel a loop and a thread an element, as one writes it: states lie side by side and are read 16 bytes
 * at a time; increments are added by atomics, component by component in arrays of their own, where atomics
 * are cheapest; the residual is summed in the block and added by one atomic.
 */
#include <cstdint>
#include <cstdio>
#include <cstdlib>

extern "C" {
#include "../apps/airfoil/job.h"
#include "../apps/common/wall.h"
}

namespace
{

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    const cudaError_t status_ = (call);                                                                      \
    if (status_ != cudaSuccess) {                                                                            \
      std::fprintf(stderr, "airfoil_cuda: %s: %s\n", #call, cudaGetErrorString(status_));                    \
      std::exit(1);                                                                                          \
    }                                                                                                        \
  } while (0)

enum { THREADS = 128 };

/* The published results use constants rounded to float, in double precision too. */
template <class real> struct constants {
  static constexpr real gam = (real)1.4f, gm1 = gam - 1, cfl = (real)0.9f, eps = (real)0.05f,
                        mach = (real)0.4f;
};

template <class real> struct pair_of;
template <> struct pair_of<double> {
  using type = double2;
};
template <> struct pair_of<float> {
  using type = float2;
};
template <class real> using pair = typename pair_of<real>::type;

template <class real> struct alignas(16) state {
  real at[4];
};

/* The thread's element, if any. */
#define ELEMENT(i, n)                                                                                        \
  const int i = blockIdx.x * THREADS + threadIdx.x;                                                          \
  if (i >= (n)) return

template <class real>
__global__ void save_soln(int n, const state<real> *__restrict__ q, state<real> *__restrict__ qold)
{
  ELEMENT(i, n);
  qold[i] = q[i];
}

template <class real> __device__ real side_speed(pair<real> a, pair<real> b, real u, real v, real c)
{
  const real dx = b.x - a.x, dy = b.y - a.y;
  return fabs(u * dy - v * dx) + c * sqrt(dx * dx + dy * dy);
}

template <class real>
__global__ void adt_calc(int n, const int4 *__restrict__ cell_node, const pair<real> *__restrict__ x,
                         const state<real> *__restrict__ q, real *__restrict__ adt)
{
  using k = constants<real>;
  ELEMENT(i, n);
  const int4 c = cell_node[i];
  const pair<real> x1 = x[c.x], x2 = x[c.y], x3 = x[c.z], x4 = x[c.w];
  const state<real> s = q[i];
  const real ri = 1 / s.at[0], u = ri * s.at[1], v = ri * s.at[2];
  const real sound = sqrt(k::gam * k::gm1 * (ri * s.at[3] - (real)0.5 * (u * u + v * v)));
  adt[i] = (side_speed<real>(x1, x2, u, v, sound) + side_speed<real>(x2, x3, u, v, sound) +
            side_speed<real>(x3, x4, u, v, sound) + side_speed<real>(x4, x1, u, v, sound)) /
           k::cfl;
}

/* The flux over an edge with extent dx, dy between two states, with artificial viscosity mu. */
template <class real>
__device__ void flux(real dx, real dy, const state<real> &a, const state<real> &b, real mu, real f[4])
{
  const real gm1 = constants<real>::gm1, half = (real)0.5;
  const real *q1 = a.at, *q2 = b.at;
  const real ri1 = 1 / q1[0], p1 = gm1 * (q1[3] - half * ri1 * (q1[1] * q1[1] + q1[2] * q1[2]));
  const real ri2 = 1 / q2[0], p2 = gm1 * (q2[3] - half * ri2 * (q2[1] * q2[1] + q2[2] * q2[2]));
  const real vol1 = ri1 * (q1[1] * dy - q1[2] * dx), vol2 = ri2 * (q2[1] * dy - q2[2] * dx);
  f[0] = half * (vol1 * q1[0] + vol2 * q2[0]) + mu * (q1[0] - q2[0]);
  f[1] = half * (vol1 * q1[1] + p1 * dy + vol2 * q2[1] + p2 * dy) + mu * (q1[1] - q2[1]);
  f[2] = half * (vol1 * q1[2] - p1 * dx + vol2 * q2[2] - p2 * dx) + mu * (q1[2] - q2[2]);
  f[3] = half * (vol1 * (q1[3] + p1) + vol2 * (q2[3] + p2)) + mu * (q1[3] - q2[3]);
}

template <class real>
__global__ void res_calc(int n, int ncell, const int2 *__restrict__ edge_node,
                         const int2 *__restrict__ edge_cell, const pair<real> *__restrict__ x,
                         const state<real> *__restrict__ q, const real *__restrict__ adt,
                         real *__restrict__ res)
{
  ELEMENT(e, n);
  const int2 node = edge_node[e], cell = edge_cell[e];
  const pair<real> a = x[node.x], b = x[node.y];
  const state<real> q1 = q[cell.x], q2 = q[cell.y];
  real f[4];
  flux<real>(a.x - b.x, a.y - b.y, q1, q2, (real)0.5 * (adt[cell.x] + adt[cell.y]) * constants<real>::eps, f);
  for (int k = 0; k < 4; k++) {
    atomicAdd(&res[(size_t)k * ncell + cell.x], f[k]);
    atomicAdd(&res[(size_t)k * ncell + cell.y], -f[k]);
  }
}

template <class real>
__global__ void bres_calc(int n, int ncell, const int2 *__restrict__ bedge_node,
                          const int *__restrict__ bedge_cell, const int *__restrict__ bound, state<real> far,
                          const pair<real> *__restrict__ x, const state<real> *__restrict__ q,
                          const real *__restrict__ adt, real *__restrict__ res)
{
  using k = constants<real>;
  ELEMENT(e, n);
  const int2 node = bedge_node[e];
  const int cell = bedge_cell[e];
  const pair<real> a = x[node.x], b = x[node.y];
  const real dx = a.x - b.x, dy = a.y - b.y;
  const state<real> s = q[cell];
  real f[4] = {0, 0, 0, 0};
  if (bound[e] == MESH_WALL) {
    const real p = k::gm1 * (s.at[3] - (real)0.5 / s.at[0] * (s.at[1] * s.at[1] + s.at[2] * s.at[2]));
    f[1] = p * dy;
    f[2] = -p * dx;
  } else {
    flux<real>(dx, dy, s, far, adt[cell] * k::eps, f);
  }
  for (int c = 0; c < 4; c++) atomicAdd(&res[(size_t)c * ncell + cell], f[c]);
}

template <class real>
__global__ void update(int n, const state<real> *__restrict__ qold, state<real> *__restrict__ q,
                       real *__restrict__ res, const real *__restrict__ adt, real *__restrict__ rms)
{
  const int i = blockIdx.x * THREADS + threadIdx.x;
  real sum = 0;
  if (i < n) {
    const real adti = 1 / adt[i];
    state<real> s = qold[i];
    for (int k = 0; k < 4; k++) {
      const real del = adti * res[(size_t)k * n + i];
      s.at[k] -= del;
      res[(size_t)k * n + i] = 0;
      sum += del * del;
    }
    q[i] = s;
  }
  for (int step = 16; step; step /= 2) sum += __shfl_down_sync(0xffffffffu, sum, step);
  __shared__ real warps[THREADS / 32];
  if (threadIdx.x % 32 == 0) warps[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x) return;
  for (int w = 1; w < THREADS / 32; w++) sum += warps[w];
  atomicAdd(rms, sum);
}

/* ---- the run ---- */

template <class T> T *device_copy(const void *host, size_t n)
{
  T *device;
  CHECK(cudaMalloc(&device, (n ? n : 1) * sizeof(T)));
  if (host)
    CHECK(cudaMemcpy(device, host, n * sizeof(T), cudaMemcpyHostToDevice));
  else
    CHECK(cudaMemset(device, 0, n * sizeof(T)));
  return device;
}

template <class real> struct solver {
  int ncell, nedge, nbedge, *bedge_cell, *bound;
  int4 *cell_node;
  int2 *edge_node, *edge_cell, *bedge_node;
  pair<real> *x;
  state<real> *q, *qold, far;
  real *adt, *res, *rms;
};

template <class real> state<real> far_field()
{
  using k = constants<real>;
  const real u = sqrt(k::gam) * k::mach, e = 1 / k::gm1 + (real)0.5 * u * u;
  return {{1, u, 0, e}};
}

template <class real> solver<real> open(const airfoil_mesh *m)
{
  solver<real> s = {};
  const size_t nnode = (size_t)m->nnode, ncell = (size_t)m->ncell, nedge = (size_t)m->nedge,
               nbedge = (size_t)m->nbedge;
  real *x = new real[2 * nnode];
  for (size_t i = 0; i < 2 * nnode; i++) x[i] = (real)m->x[i];
  s.x = device_copy<pair<real>>(x, nnode);
  delete[] x;
  s.far = far_field<real>();
  state<real> *q = new state<real>[ncell];
  for (size_t i = 0; i < ncell; i++) q[i] = s.far;
  s.q = device_copy<state<real>>(q, ncell);
  delete[] q;
  s.ncell = m->ncell;
  s.nedge = m->nedge;
  s.nbedge = m->nbedge;
  s.cell_node = device_copy<int4>(m->cell_node, ncell);
  s.edge_node = device_copy<int2>(m->edge_node, nedge);
  s.edge_cell = device_copy<int2>(m->edge_cell, nedge);
  s.bedge_node = device_copy<int2>(m->bedge_node, nbedge);
  s.bedge_cell = device_copy<int>(m->bedge_cell, nbedge);
  s.bound = device_copy<int>(m->bound, nbedge);
  s.qold = device_copy<state<real>>(nullptr, ncell);
  s.adt = device_copy<real>(nullptr, ncell);
  s.res = device_copy<real>(nullptr, 4 * ncell);
  s.rms = device_copy<real>(nullptr, 1);
  CHECK(cudaDeviceSynchronize());
  return s;
}

int blocks(int n)
{
  return (n + THREADS - 1) / THREADS;
}

template <class real> void iterate(const solver<real> &s)
{
  save_soln<real><<<blocks(s.ncell), THREADS>>>(s.ncell, s.q, s.qold);
  for (int stage = 0; stage < 2; stage++) {
    adt_calc<real><<<blocks(s.ncell), THREADS>>>(s.ncell, s.cell_node, s.x, s.q, s.adt);
    res_calc<real>
      <<<blocks(s.nedge), THREADS>>>(s.nedge, s.ncell, s.edge_node, s.edge_cell, s.x, s.q, s.adt, s.res);
    bres_calc<real><<<blocks(s.nbedge), THREADS>>>(s.nbedge, s.ncell, s.bedge_node, s.bedge_cell, s.bound,
                                                   s.far, s.x, s.q, s.adt, s.res);
    CHECK(cudaMemsetAsync(s.rms, 0, sizeof(real)));
    update<real><<<blocks(s.ncell), THREADS>>>(s.ncell, s.qold, s.q, s.res, s.adt, s.rms);
  }
}

template <class real> void run(const solver<real> &s, airfoil_report *report)
{
  const double start = wall_seconds();
  for (int iteration = 1; iteration <= report->iterations; iteration++) {
    iterate(s);
    if (!report_due(report, iteration)) continue;
    real sum;
    CHECK(cudaMemcpy(&sum, s.rms, sizeof sum, cudaMemcpyDeviceToHost));
    report_residual(report, iteration, (double)sum);
  }
  CHECK(cudaDeviceSynchronize());
  report->seconds = wall_seconds() - start;
}

void keep_flow(airfoil_report *report, const airfoil_mesh *mesh, const double *q)
{
  report_flow_double(report, mesh, (size_t)mesh->ncell, nullptr, q);
}
void keep_flow(airfoil_report *report, const airfoil_mesh *mesh, const float *q)
{
  report_flow_float(report, mesh, (size_t)mesh->ncell, nullptr, q);
}

template <class real> void solve(const airfoil_mesh *mesh, airfoil_report *report)
{
  const double start = wall_seconds();
  const solver<real> s = open<real>(mesh);
  report->setup_seconds = wall_seconds() - start;
  run(s, report);
  real *q = new real[4 * (size_t)mesh->ncell];
  CHECK(cudaMemcpy(q, s.q, 4 * (size_t)mesh->ncell * sizeof(real), cudaMemcpyDeviceToHost));
  keep_flow(report, mesh, q);
  delete[] q;
  CHECK(cudaDeviceReset()); /* frees everything */
}

bool read_mesh(const airfoil_job *job, airfoil_mesh *mesh, mesh_error *error)
{
  return job->mesh_path ? mesh_read(mesh, job->mesh_path, error)
                        : mesh_make(mesh, job->size[0], job->size[1], error);
}

bool solve_job(void *, const airfoil_job *job, const airfoil_mesh *mesh, airfoil_report *report)
{
  if (job->chain) {
    std::fprintf(stderr, "airfoil_cuda: no fused loops were written by hand; leave --chain out\n");
    return false;
  }
  std::snprintf(report->backend, sizeof report->backend, "hand");
  report->threads = 1;
  job->single ? solve<float>(mesh, report) : solve<double>(mesh, report);
  return true;
}

} // namespace

int main(int argc, char **argv)
{
  const option_program program = {"airfoil_cuda",
                                  "Inviscid flow round an aerofoil, written by hand in CUDA: what Plait's "
                                  "airfoil on NVIDIA devices is measured against.",
                                  nullptr, false};
  return airfoil_main(&program, read_mesh, solve_job, nullptr, argc, argv);
}
