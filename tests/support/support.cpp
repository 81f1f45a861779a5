#include "support/manualscheduler.h"
