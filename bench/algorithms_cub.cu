/* SPDX-License-Identifier: BSD-2-Clause
 * What bench/algorithms is set against on an NVIDIA device: the same reductions, scans and sorts by CUB.
 *
 *   algorithms_cub ELEMENTS SORTED     prints "name seconds", the median of nine runs
 */
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <vector>

#define CHECK(call)                                                                                          \
  do {                                                                                                       \
    if ((call) != cudaSuccess) {                                                                             \
      std::fprintf(stderr, "%s failed\n", #call);                                                            \
      std::exit(1);                                                                                          \
    }                                                                                                        \
  } while (0)

template <class T> T *buffer(std::size_t n)
{
  T *p;
  CHECK(cudaMalloc(&p, n * sizeof(T)));
  CHECK(cudaMemset(p, 0, n * sizeof(T)));
  return p;
}

__global__ void fill(std::uint64_t *wide, std::uint32_t *narrow, int *index, std::size_t n)
{
  for (std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x; i < n; i += (std::size_t)gridDim.x * blockDim.x) {
    std::uint64_t x = i * 0x9e3779b97f4a7c15u;
    x ^= x >> 31;
    x *= 0xbf58476d1ce4e5b9u;
    wide[i] = x ^ x >> 29;
    narrow[i] = (std::uint32_t)(wide[i] >> 32);
    index[i] = (int)i;
  }
}

/* The values that bench/algorithms sums: power, so speed, can depend on them. */
__global__ void fill_summed(double *x, int *a, std::size_t n)
{
  for (std::size_t i = blockIdx.x * (std::size_t)blockDim.x + threadIdx.x; i < n; i += (std::size_t)gridDim.x * blockDim.x)
    x[i] = a[i] = (int)(i & 7);
}

/* `call(storage, bytes)` first tells the size of its storage, then is timed. */
template <class Call> void measure(const char *name, Call call)
{
  std::size_t bytes = 0;
  CHECK(call(nullptr, bytes));
  void *storage = buffer<char>(bytes + 1);
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  std::vector<float> ms;
  for (int r = 0; r < 10; r++) {
    float one;
    CHECK(cudaEventRecord(begin));
    CHECK(call(storage, bytes));
    CHECK(cudaEventRecord(end));
    CHECK(cudaEventSynchronize(end));
    CHECK(cudaEventElapsedTime(&one, begin, end));
    if (r) ms.push_back(one);
  }
  std::sort(ms.begin(), ms.end());
  std::printf("%s %.9f\n", name, 1e-3 * ms[ms.size() / 2]);
  CHECK(cudaFree(storage));
}

int main(int argc, char **argv)
{
  if (argc != 3) return 2;
  const int n = std::atoi(argv[1]), m = std::atoi(argv[2]);
  double *x = buffer<double>(n), *y = buffer<double>(n);
  int *a = buffer<int>(n), *b = buffer<int>(n);
  std::uint64_t *wide = buffer<std::uint64_t>(m), *wide_to = buffer<std::uint64_t>(m);
  std::uint32_t *narrow = buffer<std::uint32_t>(m), *narrow_to = buffer<std::uint32_t>(m);
  int *index = buffer<int>(m), *index_to = buffer<int>(m);
  fill<<<1024, 256>>>(wide, narrow, index, m);
  fill_summed<<<1024, 256>>>(x, a, n);
  measure("reduce_double", [&](void *s, std::size_t &k) { return cub::DeviceReduce::Sum(s, k, x, y, n); });
  measure("reduce_int", [&](void *s, std::size_t &k) { return cub::DeviceReduce::Sum(s, k, a, b, n); });
  measure("scan_double", [&](void *s, std::size_t &k) { return cub::DeviceScan::InclusiveSum(s, k, x, y, n); });
  measure("scan_int", [&](void *s, std::size_t &k) { return cub::DeviceScan::InclusiveSum(s, k, a, b, n); });
  measure("sort_32", [&](void *s, std::size_t &k) {
    return cub::DeviceRadixSort::SortPairs(s, k, narrow, narrow_to, index, index_to, m);
  });
  measure("sort_64", [&](void *s, std::size_t &k) {
    return cub::DeviceRadixSort::SortPairs(s, k, wide, wide_to, index, index_to, m);
  });
  return 0;
}
