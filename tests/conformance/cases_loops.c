#include "conformance.h"
const conf_case conf_loops[] = {{NULL, NULL, NULL, 0}};
