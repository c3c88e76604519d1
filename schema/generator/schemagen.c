// schemagen SCHEMA_DIR OUT_DIR: turns the rows of the schema into OUT_DIR/schema_tables.c and OUT_DIR/schema_kinds.h,
// what dtc-collective has of them into OUT_DIR/measured.c, and where they are from into OUT_DIR/sources.tsv. Each noun
// is read, held against what its rows promise, and printed as C in one go; where anything was wrong nothing is written.
// It runs while dtc is built and is no part of it.
#include "schema/generator/schemagen.h"

#include "compiler/base/diag/diag.h"
#include "compiler/base/die.h"
#include "compiler/base/file_set.h"

// As compilers print: editors and build logs know how to jump there.
static void print_faults(Session *session) {
    const Diags *diags = &session->diags;
    for (uint32_t i = 0; i < diags->items.count; i++) {
        const Diag *diag = diags->items.items[i];
        if (span_is_none(diag->span)) {
            fprintf(stderr, "schemagen: %.*s\n", STR_ARG(diag->message));
            continue;
        }
        const Source *source = source_get(session, diag->span.source);
        const Place place = source_place(session, diag->span.source, diag->span.start);
        fprintf(stderr, "%.*s:%" PRIu32 ":%" PRIu32 ": %.*s\n", STR_ARG(source->path), place.line, place.column,
                STR_ARG(diag->message));
    }
}

static void write_files(Generator *generator, Str directory) {
    FileSet *files = files_open(generator->arena, directory);
    const char *problem = file_stage(files, STR("schema_kinds.h"), strbuf_str(&generator->header));
    if (problem == NULL) {
        problem = file_stage(files, STR("schema_tables.c"), strbuf_str(&generator->tables));
    }
    if (problem == NULL) {
        problem = file_stage(files, STR("measured.c"), strbuf_str(&generator->measured));
    }
    if (problem == NULL) {
        problem = file_stage(files, STR("sources.tsv"), strbuf_str(&generator->sources));
    }
    if (problem == NULL) {
        problem = files_commit(files);
    }
    if (problem != NULL) {
        files_abort(files);
        die("cannot write to `%.*s`: %s", STR_ARG(directory), problem);
    }
}

static void generate(Generator *generator) {
    put(&generator->header, "// Written by schemagen from schema/kinds/*.yaml and schema/constants.yaml.\n"
                            "#pragma once\n\n");
    put(&generator->tables, "// Written by schemagen from schema/**/*.yaml.\n"
                            "#include \"schema/objects.h\"\n"
                            "#include \"schema/schema.h\"\n\n");
    put(&generator->measured,
        "// Written by schemagen from schema/collectives.yaml, devices.yaml and device_faults.yaml.\n"
        "#include \"stdlib/node/collective/measured.h\"\n"
        "#include \"stdlib/node/device/facts.h\"\n\n");
    generate_patterns(generator);
    write_named_types(generator);
    generate_kinds(generator);
    generate_regions(generator);
    generate_instances(generator);
    generate_images(generator);
    generate_parameters(generator);
    generate_quotas(generator);
    generate_kubernetes(generator);
    generate_policies(generator);
    generate_addresses(generator);
    generate_objects(generator);
    generate_plugins(generator);
    generate_devices(generator);
    generate_collectives(generator);
    generate_device_faults(generator);
    generate_constants(generator);
    read_commented_sources(generator);
}

int main(int argc, char **argv) {
    if (argc != 3) {
        fprintf(stderr, "usage: schemagen SCHEMA_DIR OUT_DIR\n");
        return 2;
    }
    Session *session = session_create();
    Generator generator = {
        .session = session,
        .arena = session->arena,
        .directory = str_of(argv[1]),
        .tables = { .arena = session->arena },
        .header = { .arena = session->arena },
        .measured = { .arena = session->arena },
        .sources = { .arena = session->arena },
        .offers = { .arena = session->arena },
        .types = { .arena = session->arena },
    };
    generate(&generator);
    const bool is_faulty = has_errors(session);
    if (is_faulty) {
        print_faults(session);
    } else {
        write_files(&generator, str_of(argv[2]));
    }
    session_destroy(session);
    return is_faulty ? 1 : 0;
}
