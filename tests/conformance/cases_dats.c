#include "conformance.h"
const conf_case conf_dats[] = {{NULL, NULL, NULL, 0}};
