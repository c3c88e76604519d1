// The rows of image_software.def, and how versions of that software compare.
#include "schema/image_software.h"

static const struct {
    ImageSoftware software;
    const char *tag;
} RELEASES[] = {
#define RELEASE(software, tag) { software, tag },
#include "schema/image_software.def"
};

static const struct {
    const char *installer;
    const char *libfabric;
} INSTALLERS[] = {
#define EFA_HAS(installer, libfabric) { installer, libfabric },
#include "schema/image_software.def"
};

static const struct {
    const char *first;
    const char *libfabric;
    const char *nccl;
} PLUGINS[] = {
#define PLUGIN_NEEDS(first, libfabric, nccl) { first, libfabric, nccl },
#include "schema/image_software.def"
};

static const struct {
    const char *system;
    const char *last;
} ENDS[] = {
#define EFA_ENDS(system, last) { system, last },
#include "schema/image_software.def"
};

static const GpuArchitecture ARCHITECTURES[] = {
#define ARCHITECTURE(number, first, last, gpus) { number, first, last, gpus },
#include "schema/image_software.def"
};

static const struct {
    const char *name;
    const char *repository;
} SOFTWARE[SOFTWARE_COUNT] = {
    [SOFTWARE_EFA] = { "the EFA installer", "" },         [SOFTWARE_PLUGIN] = { "aws-ofi-nccl", "aws/aws-ofi-nccl" },
    [SOFTWARE_NCCL] = { "NCCL", "NVIDIA/nccl" },          [SOFTWARE_NCCL_TESTS] = { "nccl-tests", "NVIDIA/nccl-tests" },
    [SOFTWARE_GDRCOPY] = { "gdrcopy", "NVIDIA/gdrcopy" },
};

const char *image_software_name(ImageSoftware software) {
    return SOFTWARE[software].name;
}

const char *image_software_repository(ImageSoftware software) {
    return SOFTWARE[software].repository;
}

// ---- versions ----------------------------------------------------------------------------------------------------

enum { NUMBER_MAX = 1000000 };

// The next number, and the sign behind it; 0 where there is none.
static int next_number(Str text, size_t *at, bool *is_there) {
    int number = 0;
    *is_there = char_is_digit(str_at(text, *at));
    while (char_is_digit(str_at(text, *at))) {
        number = number < NUMBER_MAX ? number * 10 + (str_at(text, *at) - '0') : number;
        (*at)++;
    }
    return number;
}

static size_t begin_of(Str text) {
    return str_at(text, 0) == 'v' ? 1 : 0;
}

// `-1` of NCCL is a number of the version as well.
static bool goes_on(Str text, size_t at) {
    return (str_at(text, at) == '.' || str_at(text, at) == '-') && char_is_digit(str_at(text, at + 1));
}

int image_version_compare(Str a, Str b) {
    size_t at = begin_of(a);
    size_t bt = begin_of(b);
    bool has_a = true;
    bool has_b = true;
    while (has_a || has_b) {
        const int first = next_number(a, &at, &has_a);
        const int second = next_number(b, &bt, &has_b);
        if (first != second) {
            return first < second ? -1 : 1;
        }
        at += goes_on(a, at) ? 1 : 0;
        bt += goes_on(b, bt) ? 1 : 0;
    }
    return 0;
}

uint32_t image_version_parts(Str text) {
    uint32_t count = 0;
    bool is_there = true;
    size_t at = begin_of(text);
    for (;;) {
        next_number(text, &at, &is_there);
        if (!is_there) {
            return count;
        }
        count++;
        if (!goes_on(text, at)) {
            return count;
        }
        at++;
    }
}

bool image_is_release(Str text) {
    size_t at = begin_of(text);
    bool is_there = true;
    while (is_there && at < text.len) {
        next_number(text, &at, &is_there);
        at += goes_on(text, at) ? 1 : 0;
    }
    const Str rest = str_slice(text, at, text.len);
    return image_is_version(text) && (rest.len == 0 || str_is(rest, "-aws") || str_is(rest, "aws"));
}

bool image_is_version(Str text) {
    return image_version_parts(text) > 1;
}

// ---- what there is -----------------------------------------------------------------------------------------------

bool image_release_is_none(ImageSoftware software, Str version, Str *nearest) {
    *nearest = STR_NONE;
    bool has_earlier = false;
    bool has_later = false;
    for (size_t i = 0; i < COUNT_OF(RELEASES); i++) {
        if (RELEASES[i].software != software) {
            continue;
        }
        const Str tag = str_of(RELEASES[i].tag);
        if (str_equal(tag, version)) {
            return false;
        }
        const int order = image_version_compare(tag, version);
        has_earlier = has_earlier || order <= 0;
        has_later = has_later || order >= 0;
        if (order >= 0 && (nearest->len == 0 || (order == 0 && image_version_compare(*nearest, version) != 0))) {
            *nearest = tag;
        }
    }
    return has_earlier && has_later;
}

Str image_efa_libfabric(Str version) {
    for (size_t i = 0; i < COUNT_OF(INSTALLERS); i++) {
        if (image_version_compare(str_of(INSTALLERS[i].installer), version) >= 0) {
            return str_of(INSTALLERS[i].libfabric);
        }
    }
    return STR_NONE;
}

static size_t plugin_row(Str version) {
    size_t row = COUNT_OF(PLUGINS);
    for (size_t i = 0; i < COUNT_OF(PLUGINS); i++) {
        row = image_version_compare(str_of(PLUGINS[i].first), version) <= 0 ? i : row;
    }
    return row;
}

Str image_plugin_libfabric(Str version) {
    const size_t row = plugin_row(version);
    return row < COUNT_OF(PLUGINS) ? str_of(PLUGINS[row].libfabric) : STR_NONE;
}

Str image_plugin_nccl(Str version) {
    const size_t row = plugin_row(version);
    return row < COUNT_OF(PLUGINS) ? str_of(PLUGINS[row].nccl) : STR_NONE;
}

Str image_efa_last(Str version, Str system) {
    for (size_t i = 0; i < COUNT_OF(ENDS); i++) {
        if (str_equal(system, str_of(ENDS[i].system)) && image_version_compare(version, str_of(ENDS[i].last)) > 0) {
            return str_of(ENDS[i].last);
        }
    }
    return STR_NONE;
}

const GpuArchitecture *image_architecture(Str number) {
    for (size_t i = 0; i < COUNT_OF(ARCHITECTURES); i++) {
        if (str_equal(number, str_of(ARCHITECTURES[i].architecture))) {
            return &ARCHITECTURES[i];
        }
    }
    return NULL;
}
