// Sections of a cluster configuration.
#include "compiler/plan/model/configuration.h"

const Subject *configuration_subject(const PlanConfiguration *configuration, Span span) {
    const Subject *subject = configuration->subject;
    for (uint32_t i = 0; i < configuration->sections.count; i++) {
        const PlanSection *section = &configuration->sections.items[i];
        if (span.source == section->whole.source && span.start >= section->whole.start &&
            span.end <= section->whole.end) {
            subject = section->subject;
        }
    }
    return subject;
}
