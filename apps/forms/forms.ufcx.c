/* SPDX-License-Identifier: BSD-2-Clause */
/* Made by plait_ufcx from forms.py with FFCx 0.11.0. Do not edit. */

#ifndef PLAIT_JIT
#pragma GCC system_header
#endif

#include <math.h>
#include <stdint.h>

void forms_mass_cell(double* restrict A,
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
static const double FE0_C0_Q48e[1][1][3][3] = {{{{0.6666666666666667, 0.1666666666666666, 0.1666666666666667},
  {0.1666666666666667, 0.1666666666666666, 0.6666666666666665},
  {0.1666666666666668, 0.6666666666666665, 0.1666666666666667}}}};
static const double FE1_C0_D10_Q48e[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C1_D01_Q48e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
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
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0
  double fw0 = 0;
  {
    fw0 = sp_48e_4 * weights_48e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0, FE0_C0_Q48e
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw0 * FE0_C0_Q48e[0][0][iq][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[3 * (i) + (j)] += FE0_C0_Q48e[0][0][iq][i] * temp_0[j];
      }
    }
  }
  // ------------------------ 
}

}

/* forms_load_cell
 * w holds f. */
void forms_load_cell(double* restrict A,
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
static const double FE0_C0_Q48e[1][1][3][3] = {{{{0.6666666666666667, 0.1666666666666666, 0.1666666666666667},
  {0.1666666666666667, 0.1666666666666666, 0.6666666666666665},
  {0.1666666666666668, 0.6666666666666665, 0.1666666666666667}}}};
static const double FE1_C0_D10_Q48e[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double FE1_C1_D01_Q48e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
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
  // Inputs: w, FE0_C0_Q48e
  // Outputs: w0
  double w0 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      w0 += w[ic] * FE0_C0_Q48e[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: w0
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_48e_0 = sp_48e_4 * w0;
    fw0 = sv_48e_0 * weights_48e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0, FE0_C0_Q48e
  // Outputs: A
  {
    for (int i = 0; i < 3; ++i)
    {
      A[(i)] += fw0 * FE0_C0_Q48e[0][0][iq][i];
    }
  }
  // ------------------------ 
}

}

void forms_vector_mass_cell(double* restrict A,
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
static const double FE1_C0_Q48e[1][1][3][3] = {{{{0.6666666666666667, 0.1666666666666666, 0.1666666666666667},
  {0.1666666666666667, 0.1666666666666666, 0.6666666666666665},
  {0.1666666666666668, 0.6666666666666665, 0.1666666666666667}}}};
static const double FE1_C1_D01_Q48e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
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
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0
  double fw0 = 0;
  {
    fw0 = sp_48e_4 * weights_48e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0, FE1_C0_Q48e
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw0 * FE1_C0_Q48e[0][0][iq][j];
    }
    double temp_1[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_1[j] = fw0 * FE1_C0_Q48e[0][0][iq][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[6 * (2 * (i)) + 2 * (j)] += FE1_C0_Q48e[0][0][iq][i] * temp_0[j];
        A[6 * (2 * (i) + 1) + (2 * (j) + 1)] += FE1_C0_Q48e[0][0][iq][i] * temp_1[j];
      }
    }
  }
  // ------------------------ 
}

}

/* forms_vector_load_cell
 * w holds g. */
void forms_vector_load_cell(double* restrict A,
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
static const double FE1_C0_Q48e[1][1][3][3] = {{{{0.6666666666666667, 0.1666666666666666, 0.1666666666666667},
  {0.1666666666666667, 0.1666666666666666, 0.6666666666666665},
  {0.1666666666666668, 0.6666666666666665, 0.1666666666666667}}}};
static const double FE1_C1_D01_Q48e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
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
  // Inputs: w, FE1_C0_Q48e
  // Outputs: w0_c0, w0_c1
  double w0_c0 = 0.0;
  double w0_c1 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      w0_c0 += w[(ic) * 2] * FE1_C0_Q48e[0][0][iq][ic];
      w0_c1 += w[(ic) * 2 + 1] * FE1_C0_Q48e[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: w0_c0, w0_c1
  // Outputs: fw0, fw1
  double fw0 = 0;
  double fw1 = 0;
  {
    double sv_48e_0 = w0_c0 * sp_48e_4;
    double sv_48e_1 = w0_c1 * sp_48e_4;
    fw0 = sv_48e_0 * weights_48e[iq];
    fw1 = sv_48e_1 * weights_48e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw1, fw0, FE1_C0_Q48e
  // Outputs: A
  {
    for (int i = 0; i < 3; ++i)
    {
      A[2 * (i)] += fw0 * FE1_C0_Q48e[0][0][iq][i];
      A[(2 * (i) + 1)] += fw1 * FE1_C0_Q48e[0][0][iq][i];
    }
  }
  // ------------------------ 
}

}

void forms_laplace_cell(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_083[1] = {0.5};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE0_C0_D01_Q083[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE1_C0_D10_Q083[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: coordinate_dofs, FE0_C0_D01_Q083, FE1_C0_D10_Q083
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Q083[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE0_C0_D01_Q083[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE0_C0_D01_Q083[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_Q083[0][0][0][ic];
  }
}
// ------------------------ 
double sp_083_0 = J0_c0 * J0_c3;
double sp_083_1 = J0_c1 * J0_c2;
double sp_083_2 = -sp_083_1;
double sp_083_3 = sp_083_0 + sp_083_2;
double sp_083_4 = J0_c0 / sp_083_3;
double sp_083_5 = -J0_c1;
double sp_083_6 = sp_083_5 / sp_083_3;
double sp_083_7 = sp_083_4 * sp_083_4;
double sp_083_8 = sp_083_4 * sp_083_6;
double sp_083_9 = sp_083_6 * sp_083_6;
double sp_083_10 = J0_c3 / sp_083_3;
double sp_083_11 = -J0_c2;
double sp_083_12 = sp_083_11 / sp_083_3;
double sp_083_13 = sp_083_12 * sp_083_12;
double sp_083_14 = sp_083_10 * sp_083_12;
double sp_083_15 = sp_083_10 * sp_083_10;
double sp_083_16 = sp_083_7 + sp_083_13;
double sp_083_17 = sp_083_8 + sp_083_14;
double sp_083_18 = sp_083_15 + sp_083_9;
double sp_083_19 = fabs(sp_083_3);
double sp_083_20 = sp_083_16 * sp_083_19;
double sp_083_21 = sp_083_17 * sp_083_19;
double sp_083_22 = sp_083_18 * sp_083_19;
for (int iq = 0; iq < 1; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  {
    fw0 = sp_083_22 * weights_083[iq];
    fw1 = sp_083_21 * weights_083[iq];
    fw2 = sp_083_20 * weights_083[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: FE0_C0_D01_Q083, fw2, FE1_C0_D10_Q083, fw0, fw1
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw0 * FE1_C0_D10_Q083[0][0][0][j];
    }
    double temp_1[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_1[j] = fw1 * FE0_C0_D01_Q083[0][0][0][j];
    }
    double temp_2[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_2[j] = fw1 * FE1_C0_D10_Q083[0][0][0][j];
    }
    double temp_3[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_3[j] = fw2 * FE0_C0_D01_Q083[0][0][0][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[3 * (i) + (j)] += FE1_C0_D10_Q083[0][0][0][i] * temp_0[j];
        A[3 * (i) + (j)] += FE1_C0_D10_Q083[0][0][0][i] * temp_1[j];
        A[3 * (i) + (j)] += FE0_C0_D01_Q083[0][0][0][i] * temp_2[j];
        A[3 * (i) + (j)] += FE0_C0_D01_Q083[0][0][0][i] * temp_3[j];
      }
    }
  }
  // ------------------------ 
}

}

void forms_flux_exterior_facet(double* restrict A,
                                    const double* restrict w,
                                    const double* restrict c,
                                    const double* restrict coordinate_dofs,
                                    const int* restrict entity_local_index,
                                    const uint8_t* restrict quadrature_permutation,
                                    void* custom_data)
{
// Quadrature rules
static const double weights_ecb[1] = {1.0};
// Precomputed values of basis functions and precomputations
// FE* dimensions: [permutation][entities][points][dofs]
static const double FE0_C0_F_Qecb[1][3][1][3] = {{{{0.0, 0.5, 0.5}},
  {{0.5, 0.0, 0.5}},
  {{0.5000000000000001, 0.5, 0.0}}}};
static const double FE1_C0_D01_F_Qecb[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE1_C0_D10_F_Qecb[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
static const double triangle_cell_facet_jacobian[3][2][1] = {{{-1.0},
  {1.0}},
  {{0.0},
  {1.0}},
  {{1.0},
  {0.0}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE1_C0_D01_F_Qecb, coordinate_dofs, FE1_C0_D10_F_Qecb
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
double J0_c3 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_F_Qecb[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE1_C0_D01_F_Qecb[0][0][0][ic];
    J0_c2 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D10_F_Qecb[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE1_C0_D01_F_Qecb[0][0][0][ic];
  }
}
// ------------------------ 
double sp_ecb_0 = J0_c0 * triangle_cell_facet_jacobian[entity_local_index[0]][0][0];
double sp_ecb_1 = J0_c1 * triangle_cell_facet_jacobian[entity_local_index[0]][1][0];
double sp_ecb_2 = sp_ecb_0 + sp_ecb_1;
double sp_ecb_3 = sp_ecb_2 * sp_ecb_2;
double sp_ecb_4 = triangle_cell_facet_jacobian[entity_local_index[0]][0][0] * J0_c2;
double sp_ecb_5 = triangle_cell_facet_jacobian[entity_local_index[0]][1][0] * J0_c3;
double sp_ecb_6 = sp_ecb_4 + sp_ecb_5;
double sp_ecb_7 = sp_ecb_6 * sp_ecb_6;
double sp_ecb_8 = sp_ecb_3 + sp_ecb_7;
double sp_ecb_9 = sqrt(sp_ecb_8);
for (int iq = 0; iq < 1; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0
  double fw0 = 0;
  {
    fw0 = sp_ecb_9 * weights_ecb[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw0, FE0_C0_F_Qecb
  // Outputs: A
  {
    for (int i = 0; i < 3; ++i)
    {
      A[(i)] += fw0 * FE0_C0_F_Qecb[0][entity_local_index[0]][0][i];
    }
  }
  // ------------------------ 
}

}

/* forms_after_cell
 * c holds step, diffusivity, wind. */
void forms_after_cell(double* restrict A,
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
static const double FE0_C0_D01_Q48e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE0_C0_Q48e[1][1][3][3] = {{{{0.6666666666666667, 0.1666666666666666, 0.1666666666666667},
  {0.1666666666666667, 0.1666666666666666, 0.6666666666666665},
  {0.1666666666666668, 0.6666666666666665, 0.1666666666666667}}}};
static const double FE1_C0_D10_Q48e[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE0_C0_D01_Q48e, coordinate_dofs, FE1_C0_D10_Q48e
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Q48e[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE0_C0_D01_Q48e[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE0_C0_D01_Q48e[0][0][0][ic];
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
double sp_48e_19 = c[1] * sp_48e_16;
double sp_48e_20 = c[1] * sp_48e_17;
double sp_48e_21 = c[1] * sp_48e_18;
double sp_48e_22 = c[3] * sp_48e_4;
double sp_48e_23 = c[3] * sp_48e_6;
double sp_48e_24 = c[2] * sp_48e_12;
double sp_48e_25 = c[2] * sp_48e_10;
double sp_48e_26 = sp_48e_22 + sp_48e_24;
double sp_48e_27 = sp_48e_25 + sp_48e_23;
double sp_48e_28 = c[0] / 2;
double sp_48e_29 = sp_48e_19 * sp_48e_28;
double sp_48e_30 = sp_48e_20 * sp_48e_28;
double sp_48e_31 = sp_48e_21 * sp_48e_28;
double sp_48e_32 = sp_48e_26 * sp_48e_28;
double sp_48e_33 = sp_48e_27 * sp_48e_28;
double sp_48e_34 = fabs(sp_48e_3);
double sp_48e_35 = sp_48e_29 * sp_48e_34;
double sp_48e_36 = sp_48e_30 * sp_48e_34;
double sp_48e_37 = sp_48e_31 * sp_48e_34;
double sp_48e_38 = sp_48e_32 * sp_48e_34;
double sp_48e_39 = sp_48e_33 * sp_48e_34;
for (int iq = 0; iq < 3; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2, fw3, fw4, fw5
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  double fw3 = 0;
  double fw4 = 0;
  double fw5 = 0;
  {
    fw0 = sp_48e_34 * weights_48e[iq];
    fw1 = sp_48e_39 * weights_48e[iq];
    fw2 = sp_48e_38 * weights_48e[iq];
    fw3 = sp_48e_37 * weights_48e[iq];
    fw4 = sp_48e_36 * weights_48e[iq];
    fw5 = sp_48e_35 * weights_48e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw4, fw2, fw0, FE1_C0_D10_Q48e, fw5, FE0_C0_D01_Q48e, fw1, fw3, FE0_C0_Q48e
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw0 * FE0_C0_Q48e[0][0][iq][j];
    }
    double temp_1[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_1[j] = fw1 * FE1_C0_D10_Q48e[0][0][0][j];
    }
    double temp_2[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_2[j] = fw2 * FE0_C0_D01_Q48e[0][0][0][j];
    }
    double temp_3[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_3[j] = fw3 * FE1_C0_D10_Q48e[0][0][0][j];
    }
    double temp_4[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_4[j] = fw4 * FE0_C0_D01_Q48e[0][0][0][j];
    }
    double temp_5[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_5[j] = fw4 * FE1_C0_D10_Q48e[0][0][0][j];
    }
    double temp_6[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_6[j] = fw5 * FE0_C0_D01_Q48e[0][0][0][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[3 * (i) + (j)] += FE0_C0_Q48e[0][0][iq][i] * temp_0[j];
        A[3 * (i) + (j)] += FE0_C0_Q48e[0][0][iq][i] * temp_1[j];
        A[3 * (i) + (j)] += FE0_C0_Q48e[0][0][iq][i] * temp_2[j];
        A[3 * (i) + (j)] += FE1_C0_D10_Q48e[0][0][0][i] * temp_3[j];
        A[3 * (i) + (j)] += FE1_C0_D10_Q48e[0][0][0][i] * temp_4[j];
        A[3 * (i) + (j)] += FE0_C0_D01_Q48e[0][0][0][i] * temp_5[j];
        A[3 * (i) + (j)] += FE0_C0_D01_Q48e[0][0][0][i] * temp_6[j];
      }
    }
  }
  // ------------------------ 
}

}

/* forms_before_cell
 * c holds step, diffusivity, wind. */
void forms_before_cell(double* restrict A,
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
static const double FE0_C0_D01_Q48e[1][1][1][3] = {{{{-1.0, 0.0, 1.0}}}};
static const double FE0_C0_Q48e[1][1][3][3] = {{{{0.6666666666666667, 0.1666666666666666, 0.1666666666666667},
  {0.1666666666666667, 0.1666666666666666, 0.6666666666666665},
  {0.1666666666666668, 0.6666666666666665, 0.1666666666666667}}}};
static const double FE1_C0_D10_Q48e[1][1][1][3] = {{{{-1.0, 1.0, 0.0}}}};
// ------------------------ 
// Section: Jacobian
// Inputs: FE0_C0_D01_Q48e, coordinate_dofs, FE1_C0_D10_Q48e
// Outputs: J0_c3, J0_c1, J0_c2, J0_c0
double J0_c0 = 0.0;
double J0_c3 = 0.0;
double J0_c1 = 0.0;
double J0_c2 = 0.0;
{
  for (int ic = 0; ic < 3; ++ic)
  {
    J0_c0 += coordinate_dofs[(ic) * 3] * FE1_C0_D10_Q48e[0][0][0][ic];
    J0_c3 += coordinate_dofs[(ic) * 3 + 1] * FE0_C0_D01_Q48e[0][0][0][ic];
    J0_c1 += coordinate_dofs[(ic) * 3] * FE0_C0_D01_Q48e[0][0][0][ic];
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
double sp_48e_19 = c[1] * sp_48e_16;
double sp_48e_20 = c[1] * sp_48e_17;
double sp_48e_21 = c[1] * sp_48e_18;
double sp_48e_22 = c[3] * sp_48e_4;
double sp_48e_23 = c[3] * sp_48e_6;
double sp_48e_24 = c[2] * sp_48e_12;
double sp_48e_25 = c[2] * sp_48e_10;
double sp_48e_26 = sp_48e_22 + sp_48e_24;
double sp_48e_27 = sp_48e_25 + sp_48e_23;
double sp_48e_28 = c[0] / 2;
double sp_48e_29 = sp_48e_19 * sp_48e_28;
double sp_48e_30 = sp_48e_20 * sp_48e_28;
double sp_48e_31 = sp_48e_21 * sp_48e_28;
double sp_48e_32 = sp_48e_26 * sp_48e_28;
double sp_48e_33 = sp_48e_27 * sp_48e_28;
double sp_48e_34 = -sp_48e_29;
double sp_48e_35 = -sp_48e_30;
double sp_48e_36 = -sp_48e_31;
double sp_48e_37 = -sp_48e_32;
double sp_48e_38 = -sp_48e_33;
double sp_48e_39 = fabs(sp_48e_3);
double sp_48e_40 = sp_48e_34 * sp_48e_39;
double sp_48e_41 = sp_48e_35 * sp_48e_39;
double sp_48e_42 = sp_48e_36 * sp_48e_39;
double sp_48e_43 = sp_48e_37 * sp_48e_39;
double sp_48e_44 = sp_48e_38 * sp_48e_39;
for (int iq = 0; iq < 3; ++iq)
{
  // ------------------------ 
  // Section: Intermediates
  // Inputs: 
  // Outputs: fw0, fw1, fw2, fw3, fw4, fw5
  double fw0 = 0;
  double fw1 = 0;
  double fw2 = 0;
  double fw3 = 0;
  double fw4 = 0;
  double fw5 = 0;
  {
    fw0 = sp_48e_39 * weights_48e[iq];
    fw1 = sp_48e_44 * weights_48e[iq];
    fw2 = sp_48e_43 * weights_48e[iq];
    fw3 = sp_48e_42 * weights_48e[iq];
    fw4 = sp_48e_41 * weights_48e[iq];
    fw5 = sp_48e_40 * weights_48e[iq];
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Tensor Computation
  // Inputs: fw4, fw2, fw0, FE1_C0_D10_Q48e, fw5, FE0_C0_D01_Q48e, fw1, fw3, FE0_C0_Q48e
  // Outputs: A
  {
    double temp_0[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_0[j] = fw0 * FE0_C0_Q48e[0][0][iq][j];
    }
    double temp_1[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_1[j] = fw1 * FE1_C0_D10_Q48e[0][0][0][j];
    }
    double temp_2[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_2[j] = fw2 * FE0_C0_D01_Q48e[0][0][0][j];
    }
    double temp_3[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_3[j] = fw3 * FE1_C0_D10_Q48e[0][0][0][j];
    }
    double temp_4[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_4[j] = fw4 * FE0_C0_D01_Q48e[0][0][0][j];
    }
    double temp_5[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_5[j] = fw4 * FE1_C0_D10_Q48e[0][0][0][j];
    }
    double temp_6[3] = {0};
    for (int j = 0; j < 3; ++j)
    {
      temp_6[j] = fw5 * FE0_C0_D01_Q48e[0][0][0][j];
    }
    for (int j = 0; j < 3; ++j)
    {
      for (int i = 0; i < 3; ++i)
      {
        A[3 * (i) + (j)] += FE0_C0_Q48e[0][0][iq][i] * temp_0[j];
        A[3 * (i) + (j)] += FE0_C0_Q48e[0][0][iq][i] * temp_1[j];
        A[3 * (i) + (j)] += FE0_C0_Q48e[0][0][iq][i] * temp_2[j];
        A[3 * (i) + (j)] += FE1_C0_D10_Q48e[0][0][0][i] * temp_3[j];
        A[3 * (i) + (j)] += FE1_C0_D10_Q48e[0][0][0][i] * temp_4[j];
        A[3 * (i) + (j)] += FE0_C0_D01_Q48e[0][0][0][i] * temp_5[j];
        A[3 * (i) + (j)] += FE0_C0_D01_Q48e[0][0][0][i] * temp_6[j];
      }
    }
  }
  // ------------------------ 
}

}

/* forms_pulse_error_cell
 * w holds f.
 * c holds time, spread, speed. */
void forms_pulse_error_cell(double* restrict A,
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
double sp_1ec_0 = c[0] * c[2];
double sp_1ec_1 = -sp_1ec_0;
double sp_1ec_2 = c[0] * c[3];
double sp_1ec_3 = -sp_1ec_2;
double sp_1ec_4 = 4 * c[1];
double sp_1ec_5 = c[0] * sp_1ec_4;
double sp_1ec_6 = 12.56637061435917 * c[1];
double sp_1ec_7 = c[0] * sp_1ec_6;
double sp_1ec_8 = J0_c0 * J0_c3;
double sp_1ec_9 = J0_c1 * J0_c2;
double sp_1ec_10 = -sp_1ec_9;
double sp_1ec_11 = sp_1ec_8 + sp_1ec_10;
double sp_1ec_12 = fabs(sp_1ec_11);
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
  // Section: Coefficient
  // Inputs: w, FE1_C0_Q1ec
  // Outputs: w0
  double w0 = 0.0;
  {
    for (int ic = 0; ic < 3; ++ic)
    {
      w0 += w[ic] * FE1_C0_Q1ec[0][0][iq][ic];
    }
  }
  // ------------------------ 
  // ------------------------ 
  // Section: Intermediates
  // Inputs: x_c0, x_c1, w0
  // Outputs: fw0
  double fw0 = 0;
  {
    double sv_1ec_0 = x_c0 + sp_1ec_1;
    double sv_1ec_1 = sv_1ec_0 * sv_1ec_0;
    double sv_1ec_2 = x_c1 + sp_1ec_3;
    double sv_1ec_3 = sv_1ec_2 * sv_1ec_2;
    double sv_1ec_4 = sv_1ec_1 + sv_1ec_3;
    double sv_1ec_5 = -sv_1ec_4;
    double sv_1ec_6 = sv_1ec_5 / sp_1ec_5;
    double sv_1ec_7 = exp(sv_1ec_6);
    double sv_1ec_8 = sv_1ec_7 / sp_1ec_7;
    double sv_1ec_9 = -sv_1ec_8;
    double sv_1ec_10 = sv_1ec_9 + w0;
    double sv_1ec_11 = pow(sv_1ec_10, 2);
    double sv_1ec_12 = sv_1ec_11 * sp_1ec_12;
    fw0 = sv_1ec_12 * weights_1ec[iq];
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
