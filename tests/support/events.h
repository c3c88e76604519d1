// The events of YAML texts as libyaml reads them, and the text that libyaml writes of them. So a test can compare what
// a writer with that library makes of the same document, and how long it takes.
#pragma once

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/str.h"
#include "compiler/base/vec.h"

#include <yaml.h>

// An event as its yaml_…_initialize() wants it.
typedef struct {
    yaml_event_type_t type;
    int style; // of a scalar, a sequence or a mapping
    bool is_plain_implicit;
    bool is_quoted_implicit;
    const char *tag; // NULL without one
    Str value;
} Event;

typedef VEC(Event) Events;

// ---- events of a file ----------------------------------------------------------------------------------------------

static inline const char *event_copy_tag(Arena *arena, const yaml_char_t *tag) {
    return tag == NULL ? NULL : str_c(arena, str_of((const char *)tag));
}

static inline Event event_copy(Arena *arena, const yaml_event_t *event) {
    Event copy = { .type = event->type };
    if (event->type == YAML_SCALAR_EVENT) {
        const Str value = { .data = (const char *)event->data.scalar.value, .len = event->data.scalar.length };
        copy.style = (int)event->data.scalar.style;
        copy.is_plain_implicit = event->data.scalar.plain_implicit != 0;
        copy.is_quoted_implicit = event->data.scalar.quoted_implicit != 0;
        copy.tag = event_copy_tag(arena, event->data.scalar.tag);
        copy.value = str_of(str_c(arena, value)); // dtc writes no NUL
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        copy.style = (int)event->data.mapping_start.style;
        copy.is_plain_implicit = event->data.mapping_start.implicit != 0;
        copy.tag = event_copy_tag(arena, event->data.mapping_start.tag);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        copy.style = (int)event->data.sequence_start.style;
        copy.is_plain_implicit = event->data.sequence_start.implicit != 0;
        copy.tag = event_copy_tag(arena, event->data.sequence_start.tag);
    }
    return copy;
}

static inline void events_read(Arena *arena, Str text, Events *events) {
    yaml_parser_t parser;
    yaml_event_type_t type = YAML_NO_EVENT;
    if (yaml_parser_initialize(&parser) == 0) {
        die("out of memory");
    }
    yaml_parser_set_input_string(&parser, (const unsigned char *)text.data, text.len);
    while (type != YAML_STREAM_END_EVENT) {
        yaml_event_t event;
        if (yaml_parser_parse(&parser, &event) == 0) {
            die("libyaml cannot read what dtc wrote: %s", parser.problem);
        }
        type = event.type;
        vec_push(arena, events, event_copy(arena, &event));
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

// ---- replay --------------------------------------------------------------------------------------------------------

static inline int events_take(void *data, unsigned char *bytes, size_t size) {
    strbuf_add(data, (Str){ .data = (const char *)bytes, .len = size });
    return 1;
}

static inline void event_must(int is_done) {
    if (is_done == 0) {
        die("libyaml does not emit an event that it has read");
    }
}

static inline void events_open(yaml_emitter_t *emitter, StrBuf *out) {
    event_must(yaml_emitter_initialize(emitter));
    yaml_emitter_set_output(emitter, events_take, out);
    yaml_emitter_set_encoding(emitter, YAML_UTF8_ENCODING);
    yaml_emitter_set_unicode(emitter, 1);
    yaml_emitter_set_width(emitter, -1);
    yaml_emitter_set_indent(emitter, 2);
    yaml_emitter_set_break(emitter, YAML_LN_BREAK);
}

static inline int event_initialize(yaml_event_t *event, const Event *from) {
    const yaml_char_t *tag = (const yaml_char_t *)from->tag;
    if (from->type == YAML_SCALAR_EVENT) {
        return yaml_scalar_event_initialize(event, NULL, tag, (const yaml_char_t *)from->value.data,
                                            (int)from->value.len, from->is_plain_implicit, from->is_quoted_implicit,
                                            (yaml_scalar_style_t)from->style);
    }
    if (from->type == YAML_MAPPING_START_EVENT) {
        return yaml_mapping_start_event_initialize(event, NULL, tag, from->is_plain_implicit,
                                                   (yaml_mapping_style_t)from->style);
    }
    if (from->type == YAML_SEQUENCE_START_EVENT) {
        return yaml_sequence_start_event_initialize(event, NULL, tag, from->is_plain_implicit,
                                                    (yaml_sequence_style_t)from->style);
    }
    if (from->type == YAML_MAPPING_END_EVENT) {
        return yaml_mapping_end_event_initialize(event);
    }
    if (from->type == YAML_SEQUENCE_END_EVENT) {
        return yaml_sequence_end_event_initialize(event);
    }
    if (from->type == YAML_STREAM_START_EVENT) {
        return yaml_stream_start_event_initialize(event, YAML_UTF8_ENCODING);
    }
    if (from->type == YAML_DOCUMENT_START_EVENT) {
        return yaml_document_start_event_initialize(event, NULL, NULL, NULL, 1);
    }
    if (from->type == YAML_DOCUMENT_END_EVENT) {
        return yaml_document_end_event_initialize(event, 1);
    }
    return yaml_stream_end_event_initialize(event);
}

// All streams, one behind the other.
static inline void events_write(const Events *events, StrBuf *out) {
    yaml_emitter_t emitter;
    for (uint32_t i = 0; i < events->count; i++) {
        const Event *from = &events->items[i];
        if (from->type == YAML_STREAM_START_EVENT) {
            events_open(&emitter, out);
        }
        yaml_event_t event;
        event_must(event_initialize(&event, from));
        event_must(yaml_emitter_emit(&emitter, &event));
        if (from->type == YAML_STREAM_END_EVENT) {
            event_must(yaml_emitter_flush(&emitter));
            yaml_emitter_delete(&emitter);
        }
    }
}
