// The least that YAML files cost with libyaml, for comparison: `replay FOLDER` takes the templates that dtc wrote there,
// reads the events of each once with libyaml's parser (tags and styles as they stand), and then times nothing but the
// emission of all of them, some times, into memory. What comes out is held against the files, byte for byte; so the
// events are those that a writer through libyaml would have been given. Prints the median of the CPU times.
#include "compiler/base/diag.h"
#include "compiler/base/file.h"
#include "compiler/base/vec.h"

#include <dirent.h>
#include <time.h>
#include <yaml.h>

enum { REPLAYS = 5, FILE_BYTES_MAX = 64 * 1024 * 1024 };

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

void replay_events(const Events *events, StrBuf *out);

// ---- events of a file ----------------------------------------------------------------------------------------------

static const char *copy_tag(Arena *arena, const yaml_char_t *tag) {
    return tag == NULL ? NULL : str_c(arena, str_of((const char *)tag));
}

static Event copy_event(Arena *arena, const yaml_event_t *event) {
    Event copy = { .type = event->type };
    if (event->type == YAML_SCALAR_EVENT) {
        const Str value = { .data = (const char *)event->data.scalar.value, .len = event->data.scalar.length };
        copy.style = (int)event->data.scalar.style;
        copy.is_plain_implicit = event->data.scalar.plain_implicit != 0;
        copy.is_quoted_implicit = event->data.scalar.quoted_implicit != 0;
        copy.tag = copy_tag(arena, event->data.scalar.tag);
        copy.value = str_of(str_c(arena, value)); // dtc writes no NUL
    } else if (event->type == YAML_MAPPING_START_EVENT) {
        copy.style = (int)event->data.mapping_start.style;
        copy.is_plain_implicit = event->data.mapping_start.implicit != 0;
        copy.tag = copy_tag(arena, event->data.mapping_start.tag);
    } else if (event->type == YAML_SEQUENCE_START_EVENT) {
        copy.style = (int)event->data.sequence_start.style;
        copy.is_plain_implicit = event->data.sequence_start.implicit != 0;
        copy.tag = copy_tag(arena, event->data.sequence_start.tag);
    }
    return copy;
}

static void read_events(Arena *arena, Str text, Events *events) {
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
        vec_push(arena, events, copy_event(arena, &event));
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
}

// ---- replay --------------------------------------------------------------------------------------------------------

static int take_output(void *data, unsigned char *bytes, size_t size) {
    strbuf_add(data, (Str){ .data = (const char *)bytes, .len = size });
    return 1;
}

static void must(int is_done) {
    if (is_done == 0) {
        die("libyaml does not emit an event that it has read");
    }
}

static void open_emitter(yaml_emitter_t *emitter, StrBuf *out) {
    must(yaml_emitter_initialize(emitter));
    yaml_emitter_set_output(emitter, take_output, out);
    yaml_emitter_set_encoding(emitter, YAML_UTF8_ENCODING);
    yaml_emitter_set_unicode(emitter, 1);
    yaml_emitter_set_width(emitter, -1);
    yaml_emitter_set_indent(emitter, 2);
    yaml_emitter_set_break(emitter, YAML_LN_BREAK);
}

static int initialize(yaml_event_t *event, const Event *from) {
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

// All files, one behind the other. Not static: callgrind is told to count between its beginning and its end.
__attribute__((noinline)) void replay_events(const Events *events, StrBuf *out) {
    yaml_emitter_t emitter;
    for (uint32_t i = 0; i < events->count; i++) {
        const Event *from = &events->items[i];
        if (from->type == YAML_STREAM_START_EVENT) {
            open_emitter(&emitter, out);
        }
        yaml_event_t event;
        must(initialize(&event, from));
        must(yaml_emitter_emit(&emitter, &event));
        if (from->type == YAML_STREAM_END_EVENT) {
            must(yaml_emitter_flush(&emitter));
            yaml_emitter_delete(&emitter);
        }
    }
}

// ---- the folder ----------------------------------------------------------------------------------------------------

// libyaml writes no comments: the one on top is left out of the comparison.
static Str without_header(Str text) {
    while (text.len > 0 && text.data[0] == '#') {
        text = str_slice(text, str_find(text, STR("\n"), 0) + 1, text.len);
    }
    return text;
}

// Appends all templates to `expected`, their events to `events`; returns how many there are.
static int read_folder(Arena *arena, const char *folder, StrBuf *expected, Events *events) {
    DIR *files = opendir(folder);
    if (files == NULL) {
        die("cannot read `%s`", folder);
    }
    int count = 0;
    for (const struct dirent *file = readdir(files); file != NULL; file = readdir(files)) {
        if (!str_ends_with(str_of(file->d_name), STR(".yaml"))) {
            continue;
        }
        Str text;
        const char *fault = file_read(arena, str_format(arena, "%s/%s", folder, file->d_name), FILE_BYTES_MAX, &text);
        if (fault != NULL) {
            die("cannot read `%s`: %s", file->d_name, fault);
        }
        read_events(arena, text, events);
        strbuf_add(expected, without_header(text));
        count++;
    }
    closedir(files);
    return count;
}

static int64_t cpu_ns(void) {
    struct timespec now;
    if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now) != 0) {
        die("there is no clock for CPU time");
    }
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

static int compare_times(const void *a, const void *b) {
    const int64_t left = *(const int64_t *)a;
    const int64_t right = *(const int64_t *)b;
    return left < right ? -1 : left > right;
}

int main(int argc, char **argv) {
    if (argc != 2) {
        die("usage: replay FOLDER");
    }
    Arena *arena = arena_create();
    StrBuf expected = { .arena = arena };
    Events events = { 0 };
    if (read_folder(arena, argv[1], &expected, &events) == 0) {
        die("`%s` holds no templates", argv[1]);
    }
    int64_t times[REPLAYS];
    for (int i = 0; i < REPLAYS; i++) {
        Arena *scratch = arena_create();
        StrBuf out = { .arena = scratch };
        const int64_t before = cpu_ns();
        replay_events(&events, &out);
        times[i] = cpu_ns() - before;
        if (!str_equal(strbuf_str(&out), strbuf_str(&expected))) {
            die("`%s`: libyaml writes other bytes than dtc", argv[1]);
        }
        arena_destroy(scratch);
    }
    qsort(times, REPLAYS, sizeof(times[0]), compare_times);
    printf("%lld ns, %u events, %zu bytes\n", (long long)times[REPLAYS / 2], events.count, expected.len);
    arena_destroy(arena);
    return 0;
}
