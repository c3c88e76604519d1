#include "schema/refresh.h"
void refresh_kubernetes(Refresh *refresh) { (void)refresh; }
