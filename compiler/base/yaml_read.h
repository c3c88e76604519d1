// Reads YAML, and so JSON, into Data with spans. Only yaml_read.c uses libfyaml.
#pragma once

#include "compiler/base/data.h"
#include "compiler/base/vec.h"

enum {
    YAML_DEPTH_MAX = 60,       // of nested collections; libfyaml's own document limit is 64
    YAML_NODES_MAX = 200000,   // after aliases are expanded
    YAML_ALIAS_MIB_MAX = 20,   // of texts, after aliases are expanded: more than a file can have without
    YAML_BRACKETS_MAX = 10000, // open ones; libfyaml holds about 550 bytes for each until it is closed
};

typedef VEC(Data *) YamlDocuments;

// The only document of a source. The types are those of YAML 1.2 core. A second document and a broken text are reported at
// their place and give NULL. A key that is there twice is reported too, and the map has both. An empty text gives NULL.
const Data *yaml_read(Session *session, uint32_t source);

// All documents of a source, as other programs read it: a tag that begins with one `!` is kept in `tag`, and an empty
// document is left out. Adds to `documents`, and returns false where a fault was reported: then those that stand before
// it were added.
bool yaml_read_documents(Session *session, uint32_t source, YamlDocuments *documents);

// The same of `text`, which is the source's with blanks in the place of what is not wanted.
bool yaml_read_part(Session *session, uint32_t source, Str text, YamlDocuments *documents);

// The same of objects of JSON that stand one after the other (json_stream.h).
bool yaml_read_stream(Session *session, uint32_t source, YamlDocuments *documents);
