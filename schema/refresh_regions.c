#include "schema/refresh.h"
void refresh_regions(Refresh *refresh) { (void)refresh; }
