#include "conformance.h"
const conf_case conf_errors[] = {{NULL, NULL, NULL, 0}};
