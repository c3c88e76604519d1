// Sums of texts. One text is a chain: no step can begin before the one before has ended. Several are as many chains,
// and the vector types of gcc and clang take a step of all of them at once: LANES texts are under way together, and a
// lane whose text ends is given the next one.
#include "compiler/base/sha256.h"

enum {
    LANES = 8,
    BLOCK = 64,           // bytes that one run of the rounds takes in
    LENGTH_BYTES = 8,     // of the text in bits, at the end of its last block
    SUM_WORDS = 8,        // of 32 bits
    TAIL_MAX = 2 * BLOCK, // what is left of a text, a byte of padding and the length fit in two blocks
};

typedef uint32_t Lanes __attribute__((vector_size(LANES * sizeof(uint32_t))));

// A text under way: whole blocks where they stand, then those of the tail.
typedef struct {
    const unsigned char *next;
    size_t blocks; // from `next` on
    bool is_busy;
    bool is_in_tail;
    uint32_t text; // its number
    size_t tail_blocks;
    unsigned char tail[TAIL_MAX];
} Lane;

// FIPS 180-4, 4.2.2 and 5.3.3: from the cube roots and the square roots of the first primes.
static const uint32_t ROUND_CONSTANTS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};
static const uint32_t FIRST_SUM[SUM_WORDS] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

// One program for every processor: which of the two runs is decided when it starts. The sanitizers are not there yet
// at that moment.
#if defined(__x86_64__) && !defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#define FOR_EACH_PROCESSOR __attribute__((target_clones("avx2", "default")))
#else
#define FOR_EACH_PROCESSOR
#endif

// Macros, as a function on vectors would be called by what has other registers than itself.
#define ROTATE(x, count) (((x) >> (count)) | ((x) << (32 - (count))))
#define SMALL_SIGMA_0(x) (ROTATE(x, 7) ^ ROTATE(x, 18) ^ ((x) >> 3))
#define SMALL_SIGMA_1(x) (ROTATE(x, 17) ^ ROTATE(x, 19) ^ ((x) >> 10))
#define BIG_SIGMA_0(x) (ROTATE(x, 2) ^ ROTATE(x, 13) ^ ROTATE(x, 22))
#define BIG_SIGMA_1(x) (ROTATE(x, 6) ^ ROTATE(x, 11) ^ ROTATE(x, 25))
#define CHOICE(x, y, z) (((x) & (y)) ^ (~(x) & (z)))
#define MAJORITY(x, y, z) (((x) & (y)) ^ ((x) & (z)) ^ ((y) & (z)))

// Takes `count` blocks of each lane into its sum. FIPS 180-4, 6.2.2; the schedule is kept in sixteen words.
FOR_EACH_PROCESSOR
static void take_blocks(Lanes sum[SUM_WORDS], const unsigned char *const next[LANES], size_t count) {
    for (size_t block = 0; block < count; block++) {
        Lanes words[16];
        for (int i = 0; i < 16; i++) {
            for (int lane = 0; lane < LANES; lane++) {
                uint32_t word;
                memcpy(&word, next[lane] + block * BLOCK + (size_t)i * sizeof(word), sizeof(word));
                words[i][lane] = __builtin_bswap32(word);
            }
        }
        Lanes a = sum[0], b = sum[1], c = sum[2], d = sum[3], e = sum[4], f = sum[5], g = sum[6], h = sum[7];
        for (int i = 0; i < 64; i++) {
            if (i >= 16) {
                words[i & 15] +=
                    SMALL_SIGMA_0(words[(i + 1) & 15]) + words[(i + 9) & 15] + SMALL_SIGMA_1(words[(i + 14) & 15]);
            }
            const Lanes first = h + BIG_SIGMA_1(e) + CHOICE(e, f, g) + ROUND_CONSTANTS[i] + words[i & 15];
            const Lanes second = BIG_SIGMA_0(a) + MAJORITY(a, b, c);
            h = g, g = f, f = e, e = d + first;
            d = c, c = b, b = a, a = first + second;
        }
        sum[0] += a, sum[1] += b, sum[2] += c, sum[3] += d;
        sum[4] += e, sum[5] += f, sum[6] += g, sum[7] += h;
    }
}

static void start(Lane *lane, Lanes sum[SUM_WORDS], int number, Str text, uint32_t text_number) {
    const size_t whole = text.len / BLOCK;
    const size_t rest = text.len % BLOCK;
    *lane = (Lane){
        .next = (const unsigned char *)text.data,
        .blocks = whole,
        .is_busy = true,
        .text = text_number,
        .tail_blocks = rest + 1 + LENGTH_BYTES <= BLOCK ? 1 : 2,
    };
    if (rest > 0) {
        memcpy(lane->tail, text.data + whole * BLOCK, rest);
    }
    lane->tail[rest] = 0x80;
    const uint64_t bits = (uint64_t)text.len * 8;
    for (size_t i = 0; i < LENGTH_BYTES; i++) {
        lane->tail[lane->tail_blocks * BLOCK - 1 - i] = (unsigned char)(bits >> (8 * i));
    }
    for (int i = 0; i < SUM_WORDS; i++) {
        sum[i][number] = FIRST_SUM[i];
    }
}

static Str hexadecimal(Arena *arena, const Lanes sum[SUM_WORDS], int lane) {
    static const char DIGITS[] = "0123456789abcdef";
    enum { WORD_DIGITS = 8 };
    char *text = arena_alloc(arena, SUM_WORDS * WORD_DIGITS);
    for (int i = 0; i < SUM_WORDS; i++) {
        for (int k = 0; k < WORD_DIGITS; k++) {
            text[i * WORD_DIGITS + k] = DIGITS[(sum[i][lane] >> (28 - 4 * k)) & 15];
        }
    }
    return (Str){ .data = text, .len = SUM_WORDS * WORD_DIGITS };
}

// How many blocks every busy lane has; lanes without a text take those of another one, and nobody looks at their sum.
static size_t common_blocks(const Lane *lanes, const unsigned char **next) {
    const Lane *shortest = NULL;
    for (int i = 0; i < LANES; i++) {
        if (lanes[i].is_busy && (shortest == NULL || lanes[i].blocks < shortest->blocks)) {
            shortest = &lanes[i];
        }
    }
    for (int i = 0; i < LANES && shortest != NULL; i++) {
        next[i] = lanes[i].is_busy ? lanes[i].next : shortest->next;
    }
    return shortest == NULL ? 0 : shortest->blocks;
}

void sha256_texts(Arena *arena, const Str *texts, uint32_t count, Str *sums) {
    Lane lanes[LANES] = { 0 };
    Lanes sum[SUM_WORDS] = { 0 };
    uint32_t next_text = 0;
    bool is_busy;
    do {
        is_busy = false;
        for (int i = 0; i < LANES; i++) {
            Lane *lane = &lanes[i];
            if (lane->is_busy && lane->blocks == 0 && lane->is_in_tail) {
                sums[lane->text] = hexadecimal(arena, sum, i);
                lane->is_busy = false;
            }
            if (!lane->is_busy && next_text < count) {
                start(lane, sum, i, texts[next_text], next_text);
                next_text++;
            }
            if (lane->is_busy && lane->blocks == 0) {
                lane->next = lane->tail;
                lane->blocks = lane->tail_blocks;
                lane->is_in_tail = true;
            }
            is_busy = is_busy || lane->is_busy;
        }
        const unsigned char *next[LANES];
        const size_t blocks = common_blocks(lanes, next);
        take_blocks(sum, next, blocks);
        for (int i = 0; i < LANES && is_busy; i++) {
            lanes[i].next += lanes[i].is_busy ? blocks * BLOCK : 0;
            lanes[i].blocks -= lanes[i].is_busy ? blocks : 0;
        }
    } while (is_busy);
}

Str sha256_text(Arena *arena, Str text) {
    Str sum;
    sha256_texts(arena, &text, 1, &sum);
    return sum;
}
