#include "conformance.h"
const conf_case conf_globals[] = {{NULL, NULL, NULL, 0}};
