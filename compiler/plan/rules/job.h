// What is judged of jobs that infra.dt declares, and of job definitions that somebody wrote.
#pragma once

#include "compiler/plan/rules/rules.h"

// How often a job is tried: `service` "AWS Batch makes" up to `most` attempts.
void rules_attempts(const Rules *rules, const Subject *subject, Span span, int64_t attempts, const char *service,
                    int most);

// A time in milliseconds after which a job ends, as it is written.
void rules_timeout(const Rules *rules, const Subject *subject, Span span, int64_t milliseconds, Str written,
                   bool is_batch);

// Shared memory, and all memory of a container, in bytes.
void rules_shm(const Rules *rules, const Subject *subject, Span shm_span, int64_t shm, Span memory_span,
               int64_t memory);

// How many nodes a job has, and the most that `group` has.
void rules_nodes_of_job(const Rules *rules, const Subject *subject, Str job, Span span, int64_t nodes, Str group,
                        Span most_span, int64_t most);

// What is wrong with the name of a variable wherever it is set; NULL: nothing.
const char *rules_variable_fault(Str name, bool is_batch);
void rules_unreadable_variable(const Rules *rules, const Subject *subject, Span span, Str name);
bool rules_is_shell_name(Str name);
void rules_env_text(const Rules *rules, const Subject *subject, Span span, Str name);

// A secret in the place of the name of one.
void rules_secret_id(const Rules *rules, const Subject *subject, Span span, Str variable, Str id, bool is_parameter);

// Reports a secret whose name a variable of the same container has (DT1425). `variable` is the place of that name.
void rules_secret_twice(const Rules *rules, const Subject *subject, Span secret, Str name, Span variable);

// The host of an image's registry.
void rules_registry(const Rules *rules, const Subject *subject, Span span, Str image);

// A secret in the value of a variable.
void rules_credential(const Rules *rules, const Subject *subject, Span span, Str variable, Str text);
