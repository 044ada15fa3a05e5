/* SPDX-License-Identifier: BSD-2-Clause */
/* Made by plait_ufcx from stokes.py with FFCx 0.11.0. Do not edit. */

#ifndef PLAIT_JIT
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

void stokes_a_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_7a4[6] = {0.08333333333333333, 0.08333333333333333, 0.08333333333333333, 0.08333333333333333, 0.08333333333333333, 0.08333333333333333};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D10_Q7a4[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C1_D01_Q7a4[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE4_C0_D01_Q7a4[1][1][6][6] = {{{{0.5638439637084912, 0.0, -0.07226652578787589, 2.636110489496368, -0.4915774379206166, -2.636110489496368},
  {0.07226652578787518, 0.0, -0.5638439637084918, 2.636110489496368, 0.4915774379206158, -2.636110489496367},
  {0.5638439637084914, 0.0, 1.636110489496368, 0.927733474212124, -2.19995445320486, -0.9277334742121242},
  {-1.636110489496368, 0.0, -0.5638439637084917, 0.9277334742121244, 2.199954453204859, -0.9277334742121244},
  {0.0722665257878754, 0.0, 1.636110489496368, 0.4361560362915079, -1.708377015284244, -0.4361560362915081},
  {-1.636110489496368, 0.0, -0.07226652578787564, 0.4361560362915078, 1.708377015284244, -0.4361560362915082}}}};
static const double FE4_C0_D10_Q7a4[1][1][6][6] = {{{{0.5638439637084918, 1.636110489496368, 0.0, 0.9277334742121238, -0.9277334742121247, -2.19995445320486},
  {0.07226652578787573, 1.636110489496368, 0.0, 0.4361560362915078, -0.4361560362915085, -1.708377015284244},
  {0.5638439637084913, -0.07226652578787526, 0.0, 2.636110489496368, -2.636110489496368, -0.4915774379206158},
  {-1.636110489496368, -0.07226652578787607, 0.0, 0.4361560362915082, -0.4361560362915078, 1.708377015284244},
  {0.07226652578787524, -0.5638439637084914, 0.0, 2.636110489496368, -2.636110489496368, 0.4915774379206164},
  {-1.636110489496368, -0.5638439637084922, 0.0, 0.9277334742121245, -0.9277334742121238, 2.19995445320486}}}};
static const double FE4_C2_Q7a4[1][1][6][3] = {{{{0.1090390090728771, 0.659027622374092, 0.231933368553031},
  {0.2319333685530311, 0.659027622374092, 0.109039009072877},
  {0.109039009072877, 0.231933368553031, 0.6590276223740918},
  {0.6590276223740921, 0.231933368553031, 0.109039009072877},
  {0.231933368553031, 0.109039009072877, 0.6590276223740918},
  {0.6590276223740921, 0.1090390090728769, 0.231933368553031}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C1_D01_Q7a4, coordinate_dofs, FE1_C0_D10_Q7a4
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Q7a4[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D01_Q7a4[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D01_Q7a4[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_Q7a4[0][0][0][ic];
  }
}
// ------------------------ 
double sp_7a4_0 = J0_c0 * J0_c3;
double sp_7a4_1 = J0_c1 * J0_c2;
double sp_7a4_2 = -sp_7a4_1;
double sp_7a4_3 = sp_7a4_0 + sp_7a4_2;
double sp_7a4_4 = J0_c0 / sp_7a4_3;
double sp_7a4_5 = -J0_c1;
double sp_7a4_6 = sp_7a4_5 / sp_7a4_3;
double sp_7a4_7 = sp_7a4_4 * sp_7a4_4;
double sp_7a4_8 = sp_7a4_4 * sp_7a4_6;
double sp_7a4_9 = sp_7a4_6 * sp_7a4_6;
double sp_7a4_10 = J0_c3 / sp_7a4_3;
double sp_7a4_11 = -J0_c2;
double sp_7a4_12 = sp_7a4_11 / sp_7a4_3;
double sp_7a4_13 = sp_7a4_12 * sp_7a4_12;
double sp_7a4_14 = sp_7a4_10 * sp_7a4_12;
double sp_7a4_15 = sp_7a4_10 * sp_7a4_10;
double sp_7a4_16 = sp_7a4_7 + sp_7a4_13;
double sp_7a4_17 = sp_7a4_8 + sp_7a4_14;
double sp_7a4_18 = sp_7a4_15 + sp_7a4_9;
double sp_7a4_19 = -sp_7a4_12;
double sp_7a4_20 = -sp_7a4_10;
double sp_7a4_21 = -sp_7a4_4;
double sp_7a4_22 = -sp_7a4_6;
double sp_7a4_23 = fabs(sp_7a4_3);
double sp_7a4_24 = sp_7a4_16 * sp_7a4_23;
double sp_7a4_25 = sp_7a4_17 * sp_7a4_23;
double sp_7a4_26 = sp_7a4_19 * sp_7a4_23;
double sp_7a4_27 = sp_7a4_18 * sp_7a4_23;
double sp_7a4_28 = sp_7a4_20 * sp_7a4_23;
double sp_7a4_29 = sp_7a4_21 * sp_7a4_23;
double sp_7a4_30 = sp_7a4_22 * sp_7a4_23;
for (int iq = 0; iq < 6; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2, fw3, fw4, fw5, fw6
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  double fw3 = 0;
  double fw4 = 0;
  double fw5 = 0;
  double fw6 = 0;
  {
    fw0 = sp_7a4_27 * weights_7a4[iq];
    fw1 = sp_7a4_25 * weights_7a4[iq];
    fw2 = sp_7a4_24 * weights_7a4[iq];
    fw3 = sp_7a4_28 * weights_7a4[iq];
    fw4 = sp_7a4_26 * weights_7a4[iq];
    fw5 = sp_7a4_30 * weights_7a4[iq];
    fw6 = sp_7a4_29 * weights_7a4[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw2, FE4_C0_D01_Q7a4, FE4_C0_D10_Q7a4, fw0, fw1
  // Outputs: A
  {
    double temp_0[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_0[j] = fw0 * FE4_C0_D10_Q7a4[0][0][iq][j];
    }
    double temp_1[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_1[j] = fw1 * FE4_C0_D01_Q7a4[0][0][iq][j];
    }
    double temp_2[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_2[j] = fw1 * FE4_C0_D10_Q7a4[0][0][iq][j];
    }
    double temp_3[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_3[j] = fw2 * FE4_C0_D01_Q7a4[0][0][iq][j];
    }
    double temp_4[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_4[j] = fw0 * FE4_C0_D10_Q7a4[0][0][iq][j];
    }
    double temp_5[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_5[j] = fw1 * FE4_C0_D01_Q7a4[0][0][iq][j];
    }
    double temp_6[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_6[j] = fw1 * FE4_C0_D10_Q7a4[0][0][iq][j];
    }
    double temp_7[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_7[j] = fw2 * FE4_C0_D01_Q7a4[0][0][iq][j];
    }
    for (int j = 0; j < 6; ++j)
    {
      for (int i = 0; i < 6; ++i)
      {
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D10_Q7a4[0][0][iq][i] * temp_0[j];
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D10_Q7a4[0][0][iq][i] * temp_1[j];
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D01_Q7a4[0][0][iq][i] * temp_2[j];
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D01_Q7a4[0][0][iq][i] * temp_3[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D10_Q7a4[0][0][iq][i] * temp_4[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D10_Q7a4[0][0][iq][i] * temp_5[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D01_Q7a4[0][0][iq][i] * temp_6[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D01_Q7a4[0][0][iq][i] * temp_7[j];
      }
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw6, fw4, FE4_C2_Q7a4, FE4_C0_D01_Q7a4, FE4_C0_D10_Q7a4, fw5, fw3
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw3 * FE4_C2_Q7a4[0][0][iq][j];
    }
    double temp_1[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_1[j] = fw4 * FE4_C2_Q7a4[0][0][iq][j];
    }
    double temp_2[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_2[j] = fw5 * FE4_C2_Q7a4[0][0][iq][j];
    }
    double temp_3[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_3[j] = fw6 * FE4_C2_Q7a4[0][0][iq][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 6; ++i)
      {
        A[15 * (2 * (i)) + ((j) + 12)] += FE4_C0_D10_Q7a4[0][0][iq][i] * temp_0[j];
        A[15 * (2 * (i)) + ((j) + 12)] += FE4_C0_D01_Q7a4[0][0][iq][i] * temp_1[j];
        A[15 * (2 * (i) + 1) + ((j) + 12)] += FE4_C0_D10_Q7a4[0][0][iq][i] * temp_2[j];
        A[15 * (2 * (i) + 1) + ((j) + 12)] += FE4_C0_D01_Q7a4[0][0][iq][i] * temp_3[j];
      }
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw6, fw4, FE4_C2_Q7a4, FE4_C0_D01_Q7a4, FE4_C0_D10_Q7a4, fw5, fw3
  // Outputs: A
  {
    double temp_0[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_0[j] = fw3 * FE4_C0_D10_Q7a4[0][0][iq][j];
    }
    double temp_1[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_1[j] = fw4 * FE4_C0_D01_Q7a4[0][0][iq][j];
    }
    double temp_2[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_2[j] = fw5 * FE4_C0_D10_Q7a4[0][0][iq][j];
    }
    double temp_3[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_3[j] = fw6 * FE4_C0_D01_Q7a4[0][0][iq][j];
    }
    for (int j = 0; j < 6; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[15 * ((i) + 12) + 2 * (j)] += FE4_C2_Q7a4[0][0][iq][i] * temp_0[j];
        A[15 * ((i) + 12) + 2 * (j)] += FE4_C2_Q7a4[0][0][iq][i] * temp_1[j];
        A[15 * ((i) + 12) + (2 * (j) + 1)] += FE4_C2_Q7a4[0][0][iq][i] * temp_2[j];
        A[15 * ((i) + 12) + (2 * (j) + 1)] += FE4_C2_Q7a4[0][0][iq][i] * temp_3[j];
      }
    }
  }
  // ------------------------ 
}

}

void stokes_blocks_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_39d[6] = {0.054975871827661, 0.054975871827661, 0.054975871827661, 0.1116907948390055, 0.1116907948390055, 0.1116907948390055};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D10_Q39d[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C1_D01_Q39d[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE4_C0_D01_Q39d[1][1][6][6] = {{{{0.6336951459609189, 0.0, -0.6336951459609159, 3.267390291921835, 0.0, -3.267390291921836},
  {0.6336951459609192, 0.0, 2.267390291921836, 0.3663048540390839, -2.901085437882756, -0.3663048540390842},
  {-2.267390291921832, 0.0, -0.6336951459609156, 0.366304854039084, 2.901085437882748, -0.3663048540390843},
  {-0.7837939636638601, 0.0, 0.78379396366386, 0.43241207267228, 0.0, -0.4324120726722802},
  {-0.7837939636638601, 0.0, -0.5675879273277196, 1.78379396366386, 1.35138189099158, -1.78379396366386},
  {0.5675879273277193, 0.0, 0.7837939636638599, 1.78379396366386, -1.35138189099158, -1.78379396366386}}}};
static const double FE4_C0_D10_Q39d[1][1][6][6] = {{{{0.6336951459609198, 2.267390291921836, 0.0, 0.3663048540390836, -0.3663048540390846, -2.901085437882756},
  {0.6336951459609188, -0.633695145960915, 0.0, 3.267390291921836, -3.267390291921836, 0.0},
  {-2.267390291921832, -0.6336951459609163, 0.0, 0.3663048540390844, -0.3663048540390835, 2.901085437882748},
  {-0.7837939636638603, -0.5675879273277198, 0.0, 1.78379396366386, -1.78379396366386, 1.35138189099158},
  {-0.78379396366386, 0.78379396366386, 0.0, 0.43241207267228, -0.4324120726722801, 0.0},
  {0.5675879273277195, 0.7837939636638604, 0.0, 1.78379396366386, -1.78379396366386, -1.35138189099158}}}};
static const double FE4_C2_Q39d[1][1][6][3] = {{{{0.09157621350977008, 0.816847572980459, 0.09157621350977098},
  {0.09157621350976999, 0.09157621350977097, 0.816847572980459},
  {0.8168475729804581, 0.09157621350977091, 0.09157621350977101},
  {0.445948490915965, 0.10810301816807, 0.445948490915965},
  {0.4459484909159651, 0.445948490915965, 0.10810301816807},
  {0.10810301816807, 0.445948490915965, 0.445948490915965}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: coordinate_dofs, FE1_C0_D10_Q39d, FE1_C1_D01_Q39d
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Q39d[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D01_Q39d[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D01_Q39d[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_Q39d[0][0][0][ic];
  }
}
// ------------------------ 
double sp_39d_0 = J0_c0 * J0_c3;
double sp_39d_1 = J0_c1 * J0_c2;
double sp_39d_2 = -sp_39d_1;
double sp_39d_3 = sp_39d_0 + sp_39d_2;
double sp_39d_4 = J0_c0 / sp_39d_3;
double sp_39d_5 = -J0_c1;
double sp_39d_6 = sp_39d_5 / sp_39d_3;
double sp_39d_7 = sp_39d_4 * sp_39d_4;
double sp_39d_8 = sp_39d_4 * sp_39d_6;
double sp_39d_9 = sp_39d_6 * sp_39d_6;
double sp_39d_10 = J0_c3 / sp_39d_3;
double sp_39d_11 = -J0_c2;
double sp_39d_12 = sp_39d_11 / sp_39d_3;
double sp_39d_13 = sp_39d_12 * sp_39d_12;
double sp_39d_14 = sp_39d_10 * sp_39d_12;
double sp_39d_15 = sp_39d_10 * sp_39d_10;
double sp_39d_16 = sp_39d_7 + sp_39d_13;
double sp_39d_17 = sp_39d_8 + sp_39d_14;
double sp_39d_18 = sp_39d_15 + sp_39d_9;
double sp_39d_19 = fabs(sp_39d_3);
double sp_39d_20 = sp_39d_16 * sp_39d_19;
double sp_39d_21 = sp_39d_17 * sp_39d_19;
double sp_39d_22 = sp_39d_18 * sp_39d_19;
for (int iq = 0; iq < 6; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2, fw3
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  double fw3 = 0;
  {
    fw0 = sp_39d_22 * weights_39d[iq];
    fw1 = sp_39d_21 * weights_39d[iq];
    fw2 = sp_39d_20 * weights_39d[iq];
    fw3 = sp_39d_19 * weights_39d[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw2, FE4_C0_D10_Q39d, fw0, FE4_C0_D01_Q39d, fw1
  // Outputs: A
  {
    double temp_0[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_0[j] = fw0 * FE4_C0_D10_Q39d[0][0][iq][j];
    }
    double temp_1[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_1[j] = fw1 * FE4_C0_D01_Q39d[0][0][iq][j];
    }
    double temp_2[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_2[j] = fw1 * FE4_C0_D10_Q39d[0][0][iq][j];
    }
    double temp_3[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_3[j] = fw2 * FE4_C0_D01_Q39d[0][0][iq][j];
    }
    double temp_4[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_4[j] = fw0 * FE4_C0_D10_Q39d[0][0][iq][j];
    }
    double temp_5[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_5[j] = fw1 * FE4_C0_D01_Q39d[0][0][iq][j];
    }
    double temp_6[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_6[j] = fw1 * FE4_C0_D10_Q39d[0][0][iq][j];
    }
    double temp_7[6] = {0};
    for (int j = 0; j < 6; ++j)
    {
      temp_7[j] = fw2 * FE4_C0_D01_Q39d[0][0][iq][j];
    }
    for (int j = 0; j < 6; ++j)
    {
      for (int i = 0; i < 6; ++i)
      {
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D10_Q39d[0][0][iq][i] * temp_0[j];
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D10_Q39d[0][0][iq][i] * temp_1[j];
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D01_Q39d[0][0][iq][i] * temp_2[j];
        A[15 * (2 * (i)) + 2 * (j)] += FE4_C0_D01_Q39d[0][0][iq][i] * temp_3[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D10_Q39d[0][0][iq][i] * temp_4[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D10_Q39d[0][0][iq][i] * temp_5[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D01_Q39d[0][0][iq][i] * temp_6[j];
        A[15 * (2 * (i) + 1) + (2 * (j) + 1)] += FE4_C0_D01_Q39d[0][0][iq][i] * temp_7[j];
      }
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw3, FE4_C2_Q39d
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw3 * FE4_C2_Q39d[0][0][iq][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[15 * ((i) + 12) + ((j) + 12)] += FE4_C2_Q39d[0][0][iq][i] * temp_0[j];
      }
    }
  }
  // ------------------------ 
}

}

void stokes_L_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_1ec[12] = {0.0254224531851035, 0.0254224531851035, 0.0254224531851035, 0.0583931378631895, 0.0583931378631895, 0.0583931378631895, 0.041425537809187, 0.041425537809187, 0.041425537809187, 0.041425537809187, 0.041425537809187, 0.041425537809187};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE1_C0_D10_Q1ec[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C0_Q1ec[1][1][12][3] = {{{{0.06308901449150206, 0.873821971016996, 0.06308901449150199},
  {0.063089014491502, 0.06308901449150195, 0.8738219710169959},
  {0.873821971016996, 0.06308901449150206, 0.06308901449150202},
  {0.249286745170911, 0.501426509658179, 0.24928674517091},
  {0.249286745170911, 0.24928674517091, 0.501426509658179},
  {0.50142650965818, 0.24928674517091, 0.24928674517091},
  {0.05314504984481599, 0.636502499121399, 0.310352451033785},
  {0.3103524510337851, 0.636502499121399, 0.05314504984481599},
  {0.05314504984481599, 0.3103524510337849, 0.636502499121399},
  {0.6365024991213991, 0.3103524510337849, 0.053145049844816},
  {0.310352451033785, 0.05314504984481597, 0.636502499121399},
  {0.636502499121399, 0.05314504984481594, 0.310352451033785}}}};
static const double FE1_C1_D01_Q1ec[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE4_C1_Q1ec[1][1][12][6] = {{{{-0.05512856699248411, 0.6533077030470594, -0.05512856699248415, 0.2205142679699365, 0.01592089499803577, 0.2205142679699366},
  {-0.05512856699248416, -0.05512856699248404, 0.6533077030470595, 0.2205142679699364, 0.2205142679699364, 0.01592089499803577},
  {0.6533077030470594, -0.05512856699248408, -0.05512856699248419, 0.01592089499803582, 0.2205142679699366, 0.2205142679699366},
  {-0.1249989825350976, 0.001430579517788789, -0.1249989825350975, 0.4999959301403893, 0.2485755252716259, 0.4999959301403913},
  {-0.1249989825350976, -0.1249989825350975, 0.001430579517788826, 0.4999959301403893, 0.4999959301403913, 0.2485755252716259},
  {0.001430579517789823, -0.1249989825350976, -0.1249989825350975, 0.248575525271625, 0.4999959301403903, 0.4999959301403903},
  {-0.04749625719880021, 0.1737683636541741, -0.1177151633084292, 0.7901604427658231, 0.06597478591860527, 0.1353078281686269},
  {-0.1177151633084291, 0.173768363654174, -0.04749625719880002, 0.1353078281686269, 0.06597478591860534, 0.7901604427658232},
  {-0.04749625719880021, -0.117715163308429, 0.1737683636541741, 0.7901604427658231, 0.1353078281686269, 0.0659747859186053},
  {0.1737683636541742, -0.1177151633084292, -0.04749625719880003, 0.06597478591860531, 0.1353078281686269, 0.7901604427658231},
  {-0.1177151633084291, -0.04749625719880007, 0.1737683636541741, 0.1353078281686269, 0.7901604427658231, 0.06597478591860524},
  {0.1737683636541741, -0.04749625719880012, -0.1177151633084291, 0.0659747859186053, 0.7901604427658231, 0.1353078281686269}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: coordinate_dofs, FE1_C0_D10_Q1ec, FE1_C1_D01_Q1ec
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Q1ec[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C1_D01_Q1ec[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C1_D01_Q1ec[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_Q1ec[0][0][0][ic];
  }
}
// ------------------------ 
double sp_1ec_0 = J0_c0 * J0_c3;
double sp_1ec_1 = J0_c1 * J0_c2;
double sp_1ec_2 = -sp_1ec_1;
double sp_1ec_3 = sp_1ec_0 + sp_1ec_2;
double sp_1ec_4 = fabs(sp_1ec_3);
for (int iq = 0; iq < 12; ++iq)
{
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Q1ec
  // Outputs: x_c0
  double x_c0 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_Q1ec[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE1_C0_Q1ec
  // Outputs: x_c1
  double x_c1 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c1 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_Q1ec[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: x_c0, x_c1
  // Outputs: fw0, fw1
  double fw0 = 0;
  double fw1 = 0;
  {
    double sv_1ec_0 = 3.141592653589793 * x_c0;
    double sv_1ec_1 = cos(sv_1ec_0);
    double sv_1ec_2 = 3.141592653589793 * sv_1ec_1;
    double sv_1ec_3 = 3.141592653589793 * x_c1;
    double sv_1ec_4 = sin(sv_1ec_3);
    double sv_1ec_5 = sv_1ec_2 * sv_1ec_4;
    double sv_1ec_6 = 2 * sv_1ec_5;
    double sv_1ec_7 = -sv_1ec_4;
    double sv_1ec_8 = 3.141592653589793 * sv_1ec_7;
    double sv_1ec_9 = 3.141592653589793 * sv_1ec_8;
    double sv_1ec_10 = sin(sv_1ec_0);
    double sv_1ec_11 = sv_1ec_9 * sv_1ec_10;
    double sv_1ec_12 = sv_1ec_6 * sv_1ec_11;
    double sv_1ec_13 = cos(sv_1ec_3);
    double sv_1ec_14 = 3.141592653589793 * sv_1ec_13;
    double sv_1ec_15 = sv_1ec_2 * sv_1ec_14;
    double sv_1ec_16 = 2 * sv_1ec_15;
    double sv_1ec_17 = sv_1ec_14 * sv_1ec_10;
    double sv_1ec_18 = sv_1ec_16 * sv_1ec_17;
    double sv_1ec_19 = sv_1ec_12 + sv_1ec_18;
    double sv_1ec_20 = sv_1ec_9 * sv_1ec_2;
    double sv_1ec_21 = 2 * sv_1ec_20;
    double sv_1ec_22 = sv_1ec_10 * sv_1ec_4;
    double sv_1ec_23 = sv_1ec_21 * sv_1ec_22;
    double sv_1ec_24 = sv_1ec_18 + sv_1ec_23;
    double sv_1ec_25 = sv_1ec_19 + sv_1ec_24;
    double sv_1ec_26 = -sv_1ec_25;
    double sv_1ec_27 = -sv_1ec_10;
    double sv_1ec_28 = 3.141592653589793 * sv_1ec_27;
    double sv_1ec_29 = 3.141592653589793 * sv_1ec_28;
    double sv_1ec_30 = sv_1ec_29 * sv_1ec_4;
    double sv_1ec_31 = sv_1ec_6 * sv_1ec_30;
    double sv_1ec_32 = 2 * sv_1ec_30;
    double sv_1ec_33 = sv_1ec_32 * sv_1ec_5;
    double sv_1ec_34 = sv_1ec_31 + sv_1ec_33;
    double sv_1ec_35 = -sv_1ec_2;
    double sv_1ec_36 = 3.141592653589793 * sv_1ec_35;
    double sv_1ec_37 = 3.141592653589793 * sv_1ec_36;
    double sv_1ec_38 = sv_1ec_37 * sv_1ec_4;
    double sv_1ec_39 = 2 * sv_1ec_38;
    double sv_1ec_40 = sv_1ec_39 * sv_1ec_22;
    double sv_1ec_41 = sv_1ec_33 + sv_1ec_40;
    double sv_1ec_42 = sv_1ec_34 + sv_1ec_41;
    double sv_1ec_43 = -sv_1ec_42;
    double sv_1ec_44 = sv_1ec_26 + sv_1ec_43;
    double sv_1ec_45 = -sv_1ec_44;
    double sv_1ec_46 = sv_1ec_8 * sv_1ec_1;
    double sv_1ec_47 = sv_1ec_45 + sv_1ec_46;
    double sv_1ec_48 = 2 * sv_1ec_17;
    double sv_1ec_49 = sv_1ec_48 * sv_1ec_30;
    double sv_1ec_50 = sv_1ec_16 * sv_1ec_5;
    double sv_1ec_51 = sv_1ec_49 + sv_1ec_50;
    double sv_1ec_52 = sv_1ec_29 * sv_1ec_14;
    double sv_1ec_53 = 2 * sv_1ec_52;
    double sv_1ec_54 = sv_1ec_53 * sv_1ec_22;
    double sv_1ec_55 = sv_1ec_50 + sv_1ec_54;
    double sv_1ec_56 = sv_1ec_51 + sv_1ec_55;
    double sv_1ec_57 = sv_1ec_48 * sv_1ec_11;
    double sv_1ec_58 = 2 * sv_1ec_11;
    double sv_1ec_59 = sv_1ec_58 * sv_1ec_17;
    double sv_1ec_60 = sv_1ec_57 + sv_1ec_59;
    double sv_1ec_61 = -sv_1ec_14;
    double sv_1ec_62 = 3.141592653589793 * sv_1ec_61;
    double sv_1ec_63 = 3.141592653589793 * sv_1ec_62;
    double sv_1ec_64 = sv_1ec_63 * sv_1ec_10;
    double sv_1ec_65 = 2 * sv_1ec_64;
    double sv_1ec_66 = sv_1ec_65 * sv_1ec_22;
    double sv_1ec_67 = sv_1ec_59 + sv_1ec_66;
    double sv_1ec_68 = sv_1ec_60 + sv_1ec_67;
    double sv_1ec_69 = sv_1ec_56 + sv_1ec_68;
    double sv_1ec_70 = -sv_1ec_69;
    double sv_1ec_71 = sv_1ec_28 * sv_1ec_13;
    double sv_1ec_72 = sv_1ec_70 + sv_1ec_71;
    double sv_1ec_73 = sv_1ec_47 * sp_1ec_4;
    double sv_1ec_74 = sv_1ec_72 * sp_1ec_4;
    fw0 = sv_1ec_74 * weights_1ec[iq];
    fw1 = sv_1ec_73 * weights_1ec[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw1, fw0, FE4_C1_Q1ec
  // Outputs: A
  {
    for (int i = 0; i < 6; ++i)
    {
      A[2 * (i)] += fw0 * FE4_C1_Q1ec[0][0][iq][i];
      A[(2 * (i) + 1)] += fw1 * FE4_C1_Q1ec[0][0][iq][i];
    }
  }
  // ------------------------ 
}

}

/* stokes_average_cell
 * w holds w0. */
void stokes_average_cell(double* restrict A,
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
static const double FE4_C2_Q48e[1][1][3][3] = {{{{0.6666666666666667, 0.1666666666666666, 0.1666666666666667},
  {0.1666666666666667, 0.1666666666666666, 0.6666666666666665},
  {0.1666666666666668, 0.6666666666666665, 0.1666666666666667}}}};
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
double sp_48e_4 = fabs(sp_48e_3);
for (int iq = 0; iq < 3; ++iq)
{
  // ------------------------ 
  // Section: Coefficient
  // Inputs: FE4_C2_Q48e, w
  // Outputs: w0_c2
  double w0_c2 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      w0_c2 += w[(ic) + 12] * FE4_C2_Q48e[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: w0_c2
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_48e_0 = w0_c2 * sp_48e_4;
    fw0 = sv_48e_0 * weights_48e[iq];
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

/* stokes_flow_error_cell
 * w holds w0. */
void stokes_flow_error_cell(double* restrict A,
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
static const double FE4_C1_Qb6a[1][1][15][6] = {{{{-0.04786090877232558, -0.02536740034845573, -0.02536740034845582, 0.8956565066815905, 0.1014696013938233, 0.1014696013938234},
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
  // Section: Coefficient
  // Inputs: FE4_C1_Qb6a, w
  // Outputs: w0_c1, w0_c0
  double w0_c1 = 0.0;
  double w0_c0 = 0.0;
  {
    for (int ic = 0; ic < 6; ++ic)
    {
      w0_c1 += w[(ic) * 2 + 1] * FE4_C1_Qb6a[0][0][iq][ic];
      w0_c0 += w[(ic) * 2] * FE4_C1_Qb6a[0][0][iq][ic];
    }
  }
  // ------------------------ 
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
  // Section: Intermediates
  // Inputs: w0_c1, w0_c0, x_c0, x_c1
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_b6a_0 = 3.141592653589793 * x_c0;
    double sv_b6a_1 = cos(sv_b6a_0);
    double sv_b6a_2 = 3.141592653589793 * sv_b6a_1;
    double sv_b6a_3 = 3.141592653589793 * x_c1;
    double sv_b6a_4 = sin(sv_b6a_3);
    double sv_b6a_5 = sv_b6a_2 * sv_b6a_4;
    double sv_b6a_6 = 2 * sv_b6a_5;
    double sv_b6a_7 = sin(sv_b6a_0);
    double sv_b6a_8 = sv_b6a_7 * sv_b6a_4;
    double sv_b6a_9 = sv_b6a_6 * sv_b6a_8;
    double sv_b6a_10 = -sv_b6a_9;
    double sv_b6a_11 = -sv_b6a_10;
    double sv_b6a_12 = w0_c1 + sv_b6a_11;
    double sv_b6a_13 = sv_b6a_12 * sv_b6a_12;
    double sv_b6a_14 = cos(sv_b6a_3);
    double sv_b6a_15 = 3.141592653589793 * sv_b6a_14;
    double sv_b6a_16 = sv_b6a_15 * sv_b6a_7;
    double sv_b6a_17 = 2 * sv_b6a_16;
    double sv_b6a_18 = sv_b6a_17 * sv_b6a_8;
    double sv_b6a_19 = -sv_b6a_18;
    double sv_b6a_20 = w0_c0 + sv_b6a_19;
    double sv_b6a_21 = sv_b6a_20 * sv_b6a_20;
    double sv_b6a_22 = sv_b6a_13 + sv_b6a_21;
    double sv_b6a_23 = sv_b6a_22 * sp_b6a_4;
    fw0 = sv_b6a_23 * weights_b6a[iq];
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

/* stokes_pressure_error_cell
 * w holds w0.
 * c holds mean. */
void stokes_pressure_error_cell(double* restrict A,
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
static const double FE1_C1_D01_Qb6a[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE4_C2_Qb6a[1][1][15][3] = {{{{0.05360869262149792, 0.473195653689251, 0.473195653689251},
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
double sp_b6a_0 = -c[0];
double sp_b6a_1 = J0_c0 * J0_c3;
double sp_b6a_2 = J0_c1 * J0_c2;
double sp_b6a_3 = -sp_b6a_2;
double sp_b6a_4 = sp_b6a_1 + sp_b6a_3;
double sp_b6a_5 = fabs(sp_b6a_4);
for (int iq = 0; iq < 15; ++iq)
{
  // ------------------------ 
  // Section: Coefficient
  // Inputs: w, FE4_C2_Qb6a
  // Outputs: w0_c2
  double w0_c2 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      w0_c2 += w[(ic) + 12] * FE4_C2_Qb6a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE4_C2_Qb6a
  // Outputs: x_c0
  double x_c0 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c0 += coordinate_dofs[(ic) * 3] * FE4_C2_Qb6a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: SpatialCoordinate
  // Inputs: coordinate_dofs, FE4_C2_Qb6a
  // Outputs: x_c1
  double x_c1 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      x_c1 += coordinate_dofs[(ic) * 3 + 1] * FE4_C2_Qb6a[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: w0_c2, x_c0, x_c1
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_b6a_0 = w0_c2 + sp_b6a_0;
    double sv_b6a_1 = 3.141592653589793 * x_c0;
    double sv_b6a_2 = cos(sv_b6a_1);
    double sv_b6a_3 = 3.141592653589793 * x_c1;
    double sv_b6a_4 = cos(sv_b6a_3);
    double sv_b6a_5 = sv_b6a_2 * sv_b6a_4;
    double sv_b6a_6 = -sv_b6a_5;
    double sv_b6a_7 = sv_b6a_0 + sv_b6a_6;
    double sv_b6a_8 = pow(sv_b6a_7, 2);
    double sv_b6a_9 = sv_b6a_8 * sp_b6a_5;
    fw0 = sv_b6a_9 * weights_b6a[iq];
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
