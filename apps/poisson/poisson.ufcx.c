/* SPDX-License-Identifier: BSD-2-Clause */
/* Made by plait_ufcx from poisson.py with FFCx 0.11.0. Do not edit. */

#ifndef PLAIT_JIT
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

void poisson_a_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_48e[3] = {0.1666666666666667, 0.1666666666666667, 0.1666666666666667};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D10_Q48e[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C1_D01_Q48e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE2_C0_D01_Q48e[1][1][3][6] = {{{{-1.666666666666667, 0.0, -0.3333333333333331, 0.6666666666666666, 2.0, -0.666666666666667},
  {0.3333333333333325, 0.0, 1.666666666666666, 0.6666666666666667, -2.0, -0.6666666666666666},
  {0.3333333333333324, 0.0, -0.3333333333333334, 2.666666666666667, 0.0, -2.666666666666666}}}};
static const double FE2_C0_D10_Q48e[1][1][3][6] = {{{{-1.666666666666667, -0.3333333333333334, 0.0, 0.6666666666666667, -0.6666666666666662, 2.0},
  {0.3333333333333323, -0.3333333333333329, 0.0, 2.666666666666667, -2.666666666666667, 0.0},
  {0.3333333333333328, 1.666666666666667, 0.0, 0.6666666666666663, -0.6666666666666669, -2.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: coordinate_dofs, FE1_C0_D10_Q48e, FE1_C1_D01_Q48e
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Q48e[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D01_Q48e[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D01_Q48e[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_Q48e[0][0][0][ic];
  }
}
// ------------------------ 
double sp_48e_0 = J0_c0 * J0_c3;
double sp_48e_1 = J0_c1 * J0_c2;
double sp_48e_2 = -sp_48e_1;
double sp_48e_3 = sp_48e_0 + sp_48e_2;
double sp_48e_4 = J0_c0 / sp_48e_3;
double sp_48e_5 = -J0_c1;
double sp_48e_6 = sp_48e_5 / sp_48e_3;
double sp_48e_7 = sp_48e_4 * sp_48e_4;
double sp_48e_8 = sp_48e_4 * sp_48e_6;
double sp_48e_9 = sp_48e_6 * sp_48e_6;
double sp_48e_10 = J0_c3 / sp_48e_3;
double sp_48e_11 = -J0_c2;
double sp_48e_12 = sp_48e_11 / sp_48e_3;
double sp_48e_13 = sp_48e_12 * sp_48e_12;
double sp_48e_14 = sp_48e_10 * sp_48e_12;
double sp_48e_15 = sp_48e_10 * sp_48e_10;
double sp_48e_16 = sp_48e_7 + sp_48e_13;
double sp_48e_17 = sp_48e_8 + sp_48e_14;
double sp_48e_18 = sp_48e_15 + sp_48e_9;
double sp_48e_19 = fabs(sp_48e_3);
double sp_48e_20 = sp_48e_16 * sp_48e_19;
double sp_48e_21 = sp_48e_17 * sp_48e_19;
double sp_48e_22 = sp_48e_18 * sp_48e_19;
for (int iq = 0; iq < 3; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  {
    fw0 = sp_48e_22 * weights_48e[iq];
    fw1 = sp_48e_21 * weights_48e[iq];
    fw2 = sp_48e_20 * weights_48e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: FE2_C0_D01_Q48e, fw2, fw0, FE2_C0_D10_Q48e, fw1
  // Outputs: A
  {
    double temp_0[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_0[j] = fw0 * FE2_C0_D10_Q48e[0][0][iq][j];
    }
    double temp_1[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_1[j] = fw1 * FE2_C0_D01_Q48e[0][0][iq][j];
    }
    double temp_2[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_2[j] = fw1 * FE2_C0_D10_Q48e[0][0][iq][j];
    }
    double temp_3[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_3[j] = fw2 * FE2_C0_D01_Q48e[0][0][iq][j];
    }
    for (int j = 0; j < 6; ++j)
    {
      for (int i = 0; i < 6; ++i)
      {
        A[6 * (i) + (j)] += FE2_C0_D10_Q48e[0][0][iq][i] * temp_0[j];
        A[6 * (i) + (j)] += FE2_C0_D10_Q48e[0][0][iq][i] * temp_1[j];
        A[6 * (i) + (j)] += FE2_C0_D01_Q48e[0][0][iq][i] * temp_2[j];
        A[6 * (i) + (j)] += FE2_C0_D01_Q48e[0][0][iq][i] * temp_3[j];
      }
    }
  }
  // ------------------------ 
}

}

void poisson_L_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_a5e[7] = {0.1125, 0.06296959027241358, 0.06296959027241358, 0.06296959027241358, 0.06619707639425308, 0.06619707639425308, 0.06619707639425308};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D10_Qa5e[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C0_Qa5e[1][1][7][3] = {{{{0.3333333333333334, 0.3333333333333333, 0.3333333333333333},
  {0.1012865073234565, 0.7974269853530872, 0.1012865073234563},
  {0.1012865073234565, 0.1012865073234563, 0.7974269853530871},
  {0.7974269853530873, 0.1012865073234563, 0.1012865073234564},
  {0.4701420641051152, 0.05971587178976975, 0.4701420641051151},
  {0.4701420641051152, 0.4701420641051151, 0.05971587178976973},
  {0.05971587178976989, 0.4701420641051151, 0.4701420641051151}}}};
static const double FE1_C1_D01_Qa5e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE2_C0_Qa5e[1][1][7][6] = {{{{-0.1111111111111111, -0.1111111111111111, -0.1111111111111111, 0.4444444444444445, 0.4444444444444445, 0.4444444444444445},
  {-0.08076859419188721, 0.4743526085855383, -0.0807685941918872, 0.3230743767675487, 0.0410358262631383, 0.3230743767675492},
  {-0.08076859419188737, -0.08076859419188713, 0.4743526085855383, 0.3230743767675489, 0.3230743767675491, 0.04103582626313835},
  {0.4743526085855385, -0.08076859419188717, -0.08076859419188723, 0.04103582626313831, 0.3230743767675489, 0.3230743767675489},
  {-0.0280749432230787, -0.05258390110254541, -0.02807494322307878, 0.1122997728923151, 0.8841342417640726, 0.1122997728923151},
  {-0.02807494322307864, -0.02807494322307884, -0.05258390110254538, 0.1122997728923152, 0.1122997728923152, 0.8841342417640727},
  {-0.05258390110254556, -0.02807494322307869, -0.02807494322307882, 0.8841342417640724, 0.1122997728923153, 0.1122997728923153}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C1_D01_Qa5e, coordinate_dofs, FE1_C0_D10_Qa5e
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Qa5e[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D01_Qa5e[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D01_Qa5e[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_Qa5e[0][0][0][ic];
  }
}
// ------------------------ 
double sp_a5e_0 = J0_c0 * J0_c3;
double sp_a5e_1 = J0_c1 * J0_c2;
double sp_a5e_2 = -sp_a5e_1;
double sp_a5e_3 = sp_a5e_0 + sp_a5e_2;
double sp_a5e_4 = fabs(sp_a5e_3);
for (int iq = 0; iq < 7; ++iq)
{
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Qa5e
  // Outputs: x_c0
  double x_c0 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_Qa5e[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Qa5e
  // Outputs: x_c1
  double x_c1 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c1 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_Qa5e[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: x_c0, x_c1
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_a5e_0 = 3.141592653589793 * x_c0;
    double sv_a5e_1 = sin(sv_a5e_0);
    double sv_a5e_2 = 3.141592653589793 * x_c1;
    double sv_a5e_3 = sin(sv_a5e_2);
    double sv_a5e_4 = sv_a5e_1 * sv_a5e_3;
    double sv_a5e_5 = 19.73920880217872 * sv_a5e_4;
    double sv_a5e_6 = sv_a5e_5 * sp_a5e_4;
    fw0 = sv_a5e_6 * weights_a5e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0, FE2_C0_Qa5e
  // Outputs: A
  {
    for (int i = 0; i < 6; ++i)
    {
      A[(i)] += fw0 * FE2_C0_Qa5e[0][0][iq][i];
    }
  }
  // ------------------------ 
}

}

/* poisson_error_cell
 * w holds u. */
void poisson_error_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_b6a[15] = {0.02659041664838023, 0.02045908519702843, 0.06386262428056692, 0.02659041664838023, 0.02045908519702843, 0.06386262428056692, 0.02659041664838023, 0.02045908519702843, 0.06386262428056692, 0.02787727027034555, 0.02787727027034555, 0.02787727027034555, 0.02787727027034555, 0.02787727027034555, 0.02787727027034555};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D10_Qb6a[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C0_Qb6a[1][1][15][3] = {{{{0.05360869262149792, 0.473195653689251, 0.473195653689251},
  {0.8844047198909872, 0.05779764005450644, 0.05779764005450646},
  {0.5166727872055052, 0.2416636063972474, 0.2416636063972474},
  {0.4731956536892511, 0.4731956536892511, 0.05360869262149787},
  {0.05779764005450644, 0.05779764005450644, 0.884404719890987},
  {0.2416636063972474, 0.2416636063972474, 0.5166727872055051},
  {0.4731956536892511, 0.05360869262149784, 0.473195653689251},
  {0.05779764005450649, 0.8844047198909871, 0.05779764005450642},
  {0.2416636063972475, 0.5166727872055051, 0.2416636063972474},
  {0.6936897820041288, 0.04697120613008554, 0.2593390118657857},
  {0.2593390118657858, 0.6936897820041288, 0.04697120613008553},
  {0.04697120613008554, 0.2593390118657857, 0.6936897820041288},
  {0.6936897820041289, 0.2593390118657857, 0.04697120613008555},
  {0.0469712061300856, 0.6936897820041288, 0.2593390118657857},
  {0.2593390118657857, 0.04697120613008551, 0.6936897820041288}}}};
static const double FE1_C1_D01_Qb6a[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE2_C0_Qb6a[1][1][15][6] = {{{{-0.04786090877232558, -0.02536740034845573, -0.02536740034845582, 0.8956565066815905, 0.1014696013938233, 0.1014696013938234},
  {0.6799386972399235, -0.05111650566276577, -0.05111650566276597, 0.01336226878348108, 0.2044660226510636, 0.2044660226510634},
  {0.01722875087190531, -0.1248610090834, -0.1248610090833999, 0.2336051946276949, 0.4994440363335999, 0.4994440363335999},
  {-0.02536740034845576, -0.02536740034845585, -0.04786090877232541, 0.1014696013938234, 0.1014696013938234, 0.8956565066815904},
  {-0.05111650566276597, -0.05111650566276585, 0.6799386972399234, 0.2044660226510636, 0.2044660226510636, 0.01336226878348111},
  {-0.1248610090834, -0.1248610090833999, 0.01722875087190529, 0.4994440363335999, 0.4994440363335999, 0.2336051946276949},
  {-0.02536740034845579, -0.04786090877232545, -0.02536740034845579, 0.1014696013938233, 0.8956565066815906, 0.1014696013938233},
  {-0.05111650566276583, 0.6799386972399234, -0.05111650566276593, 0.2044660226510636, 0.01336226878348108, 0.2044660226510637},
  {-0.1248610090834, 0.01722875087190528, -0.1248610090833999, 0.4994440363335999, 0.2336051946276949, 0.4994440363336},
  {0.2687212453097427, -0.04255861771945559, -0.1248255657147414, 0.04872586473568208, 0.7196032904253722, 0.1303337829634002},
  {-0.1248255657147414, 0.2687212453097426, -0.0425586177194556, 0.1303337829634002, 0.04872586473568215, 0.7196032904253722},
  {-0.0425586177194557, -0.1248255657147413, 0.2687212453097426, 0.7196032904253722, 0.1303337829634001, 0.04872586473568207},
  {0.2687212453097426, -0.1248255657147415, -0.04255861771945563, 0.04872586473568215, 0.1303337829634003, 0.7196032904253722},
  {-0.04255861771945565, 0.2687212453097427, -0.1248255657147414, 0.7196032904253722, 0.04872586473568206, 0.1303337829634002},
  {-0.1248255657147414, -0.04255861771945556, 0.2687212453097426, 0.1303337829634002, 0.7196032904253722, 0.04872586473568202}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C1_D01_Qb6a, coordinate_dofs, FE1_C0_D10_Qb6a
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Qb6a[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D01_Qb6a[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D01_Qb6a[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_Qb6a[0][0][0][ic];
  }
}
// ------------------------ 
double sp_b6a_0 = J0_c0 * J0_c3;
double sp_b6a_1 = J0_c1 * J0_c2;
double sp_b6a_2 = -sp_b6a_1;
double sp_b6a_3 = sp_b6a_0 + sp_b6a_2;
double sp_b6a_4 = fabs(sp_b6a_3);
for (int iq = 0; iq < 15; ++iq)
{
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Qb6a
  // Outputs: x_c0
  double x_c0 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_Qb6a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Qb6a
  // Outputs: x_c1
  double x_c1 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c1 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_Qb6a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Coefficient
  // Inputs: w, FE2_C0_Qb6a
  // Outputs: w0
  double w0 = 0.0;
  {
    for (int ic = 0; ic < 6; ++ic)
    {
      w0 += w[ic] * FE2_C0_Qb6a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: x_c0, x_c1, w0
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_b6a_0 = 3.141592653589793 * x_c0;
    double sv_b6a_1 = sin(sv_b6a_0);
    double sv_b6a_2 = 3.141592653589793 * x_c1;
    double sv_b6a_3 = sin(sv_b6a_2);
    double sv_b6a_4 = sv_b6a_1 * sv_b6a_3;
    double sv_b6a_5 = -sv_b6a_4;
    double sv_b6a_6 = sv_b6a_5 + w0;
    double sv_b6a_7 = pow(sv_b6a_6, 2);
    double sv_b6a_8 = sv_b6a_7 * sp_b6a_4;
    fw0 = sv_b6a_8 * weights_b6a[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0
  // Outputs: A
  {
    A[0] += fw0;
  }
  // ------------------------ 
}

}
