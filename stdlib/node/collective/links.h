// Judges links by their rates and by what got through: which are bad, and which end of them is at fault.
#pragma once

#include "stdlib/node/collective/verdict.h"

enum {
    // A link is slow below so many percent of the median of its lane. Twice as slow as the others is not yet a fault,
    // five times is: this is the middle of the two, as ratios go.
    SLOW_PERCENT = 32,
    // Below so many percent it is low: worth a look, and no reason to take a node away. Links of sound nodes differ by
    // less: the best of several samples of each counts.
    LOW_PERCENT = 70,
};

typedef enum LinkGrade { LINK_GOOD, LINK_LOW, LINK_SLOW } LinkGrade;

// How lane `lane` of a link is beside the others and beside the floor; good where it was not measured.
LinkGrade links_grade(const Evidence *evidence, const LinkEvidence *link, uint32_t lane);

// The worst of its lanes.
LinkGrade links_worst(const Evidence *evidence, const LinkEvidence *link);

// The same if no end of the link had to wait for a processor: what it is judged by.
LinkGrade links_judged(const Evidence *evidence, const LinkEvidence *link);

// Names whose fault slow and broken links are, or notes them as suspects.
void links_judge(const Evidence *evidence, Verdict *verdict);

// Warns of low links, where nobody was named for them.
void links_warn(const Evidence *evidence, Verdict *verdict);
