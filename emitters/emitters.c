// The emitters, in the order they run: what others need comes first.
#include "emitters/emitter.h"

#include "emitters/cloudformation/cloudformation.h"

const EmitterRow EMITTER_ROWS[] = {
    { "cloudformation", cloudformation_emit },
};

const int EMITTER_ROW_COUNT = (int)COUNT_OF(EMITTER_ROWS);
