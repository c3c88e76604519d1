// Faults that no tree of files can show the core: a clock that cannot be asked, a log that is overwritten or fails
// while it is read, a disk that is full. The kernel is played here.
#include "stdlib/node/contract.h"
#include "stdlib/node/core/main.h"

#include "tests/support/still_kernel.h"
#include "tests/support/check.h"

enum { RECORD_FILE = 3, LOG_FILE, MOUNTS_FILE, VERDICT_FILE, OUTPUT = 1, FAULT_INPUT_OUTPUT = -5, ANSWERS_MAX = 4 };

typedef struct {
    int len; // negative: a fault
    const char *text;
} Answer;

// The core's kernel has no context; one test is run at a time.
static struct {
    const char *record;
    size_t record_at;
    int clock_state;
    Answer log[ANSWERS_MAX]; // one read of it each
    int log_reads;
    bool is_automounted; // Lustre, by who asks for its space
    bool is_read;        // the list of mounts
    int64_t now_ms;
    int room; // in the file of the verdict
    char verdict[NODE_VERDICT_BYTES_MAX + 1];
} kernel;

int sys_open(const char *path, int flags) {
    if (strcmp(path, &NODE_RECORD_PATH[1]) == 0) {
        return RECORD_FILE;
    }
    if (strcmp(path, "dev/kmsg") == 0) {
        return LOG_FILE;
    }
    if (strcmp(path, "proc/mounts") == 0) {
        kernel.is_read = false;
        return MOUNTS_FILE;
    }
    return flags == OPEN_NEW ? VERDICT_FILE : -2;
}

int sys_read(int descriptor, void *buffer, int size) {
    if (descriptor == RECORD_FILE) {
        const size_t left = strlen(kernel.record) - kernel.record_at;
        const size_t len = left < (size_t)size ? left : (size_t)size;
        memcpy(buffer, kernel.record + kernel.record_at, len);
        kernel.record_at += len;
        return (int)len;
    }
    if (descriptor == MOUNTS_FILE && !kernel.is_read) {
        static const char WAITS[] = "systemd-1 /fsx autofs rw,fd=57 0 0\n";
        static const char MOUNTED[] = "systemd-1 /fsx autofs rw,fd=57 0 0\n10.0.0.1@tcp:/a /fsx lustre rw 0 0\n";
        const char *mounts = kernel.is_automounted ? MOUNTED : WAITS;
        memcpy(buffer, mounts, strlen(mounts));
        kernel.is_read = true;
        return (int)strlen(mounts);
    }
    if (descriptor != LOG_FILE) {
        return descriptor < 0 ? -9 : 0;
    }
    const Answer *answer = &kernel.log[kernel.log_reads++];
    if (answer->len > 0) {
        memcpy(buffer, answer->text, (size_t)answer->len);
    }
    return answer->len;
}

int sys_write(int descriptor, const void *buffer, int size) {
    const int len = descriptor == VERDICT_FILE && size > kernel.room ? kernel.room : size;
    if (descriptor == OUTPUT) {
        memcpy(kernel.verdict, buffer, (size_t)size);
    }
    return len;
}

int sys_read_folder(int descriptor, void *buffer, int size) {
    (void)descriptor;
    (void)buffer;
    (void)size;
    return 0;
}

bool sys_can_read(const char *path) {
    (void)path;
    return false;
}

uint64_t sys_free_gib(const char *path) {
    kernel.is_automounted = strcmp(path, "fsx") == 0;
    return 0;
}

int sys_clock_state(void) {
    return kernel.clock_state;
}

int64_t sys_now_ms(void) {
    return kernel.now_ms;
}

void sys_sleep(int64_t ms) {
    kernel.now_ms += ms;
}

int64_t sys_time_s(void) {
    return 1764112515;
}

// A kernel that knows of nothing, with the record.
static void begin(const char *record) {
    memset(&kernel, 0, sizeof kernel);
    kernel.record = record;
    kernel.room = (int)sizeof kernel.verdict;
    kernel.log[0].len = FAULT_AGAIN;
}

static int check(void) {
    char *arguments[] = { (char[]){ "dtc-node" }, NULL };
    return core_main(1, arguments);
}

static int check_for(const char *seconds) {
    char number[16] = { 0 };
    memcpy(number, seconds, strlen(seconds));
    char *arguments[] = { (char[]){ "dtc-node" }, (char[]){ "--wait" }, number, NULL };
    return core_main(3, arguments);
}

static void assert_says(const char *text) {
    if (strstr(kernel.verdict, text) == NULL) {
        fail_msg("`%s` is not in %s", text, kernel.verdict);
    }
}

static void test_a_clock_that_is_held_passes(void **state) {
    (void)state;
    for (int held = 0; held < CLOCK_UNSYNCHRONIZED; held++) {
        begin("dtc-expect 1\nclock sync\n");
        kernel.clock_state = held;

        assert_int_equal(check(), NODE_EXIT_PASS);

        assert_says("{\"id\":\"clock\",\"s\":\"pass\"");
    }
}

static void test_a_clock_that_nothing_holds_fails(void **state) {
    (void)state;
    begin("dtc-expect 1\nclock sync\n");
    kernel.clock_state = CLOCK_UNSYNCHRONIZED;

    assert_int_equal(check(), NODE_EXIT_IMAGE);
}

static void test_a_clock_that_cannot_be_asked_fails(void **state) {
    (void)state;
    begin("dtc-expect 1\nclock sync\n");
    kernel.clock_state = -1;

    assert_int_equal(check(), NODE_EXIT_IMAGE);
}

static void test_a_log_that_is_read_to_its_end_passes(void **state) {
    (void)state;
    static const char QUIET[] = "6,1,0,-;Linux version 6.1\n";
    begin("dtc-expect 1\nklog 79\n");
    kernel.log[0] = (Answer){ sizeof QUIET - 1, QUIET };
    kernel.log[1].len = FAULT_AGAIN;

    assert_int_equal(check(), NODE_EXIT_PASS);

    assert_int_equal(kernel.log_reads, 2);
}

static void test_what_stands_behind_overwritten_messages_is_found(void **state) {
    (void)state;
    static const char XID[] = "3,9,9,-;NVRM: Xid (PCI:0000:53:00): 79, pid=1\n";
    begin("dtc-expect 1\nklog 79\n");
    kernel.log[0].len = FAULT_OVERWRITTEN;
    kernel.log[1] = (Answer){ sizeof XID - 1, XID };
    kernel.log[2].len = FAULT_AGAIN;

    assert_int_equal(check(), NODE_EXIT_FAIL);

    assert_says("PCI:0000:53:00=79");
}

static void test_a_log_that_fails_while_it_is_read_fails(void **state) {
    (void)state;
    begin("dtc-expect 1\nklog 79\n");
    kernel.log[0].len = FAULT_INPUT_OUTPUT;

    assert_int_equal(check(), NODE_EXIT_IMAGE);

    assert_says("log=unreadable");
}

// A log with one message; the node has two GPUs.
static int check_message(const char *message) {
    begin("dtc-expect 1\n?gpu.count 2\nklog 79 149 154\n");
    kernel.log[0] = (Answer){ (int)strlen(message), message };
    kernel.log[1].len = FAULT_AGAIN;
    return check();
}

static void test_a_gpu_that_cannot_be_initialised_fails_once(void **state) {
    (void)state;

    assert_int_equal(check_message("3,9,9,-;NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x26:0x65:1482)\n"
                                   "3,9,9,-;NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x26:0x65:1482)\n"),
                     NODE_EXIT_FAIL);

    assert_says("\"got\":\"0000:53:00.0:=RmInitAdapter\",\"at\":\"/dev/kmsg\",\"class\":\"hardware\"");
}

static void test_gpus_none_of_which_can_be_initialised_have_no_driver(void **state) {
    (void)state;

    assert_int_equal(check_message("3,9,9,-;NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x26:0x65:1482)\n"
                                   "3,9,9,-;NVRM: GPU 0000:64:00.0: RmInitAdapter failed! (0x26:0x65:1482)\n"),
                     NODE_EXIT_IMAGE);
}

static void test_a_message_says_whether_its_error_is_fatal(void **state) {
    (void)state;
    static const struct {
        const char *message;
        int status;
    } MESSAGES[] = {
        { "3,9,9,-;NVRM: Xid (PCI:0000:53:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 08\n", NODE_EXIT_FAIL },
        { "3,9,9,-;NVRM: Xid (PCI:0000:53:00): 149, NETIR_BER_EVENT  Nonfatal XC0 i0 Link 08\n", NODE_EXIT_PASS },
        { "3,9,9,-;NVRM: Xid (PCI:0000:53:00): 154, changed from 0x0 (None) to 0x2 (Node Reboot)\n", NODE_EXIT_FAIL },
        { "3,9,9,-;NVRM: Xid (PCI:0000:53:00): 154, changed from 0x2 (Node Reboot) to 0x0 (None)\n", NODE_EXIT_PASS },
        { "3,9,9,-;nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28\n", NODE_EXIT_FAIL },
        { "3,9,9,-;nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 19084, Non-fatal, Link 29\n", NODE_EXIT_PASS },
        { "3,9,9,-;pcieport 0000:52:01.0: AER: Uncorrectable (Fatal) error message received\n", NODE_EXIT_FAIL },
        { "3,9,9,-;pcieport 0000:52:01.0: AER: Uncorrectable (Non-Fatal) error message received\n", NODE_EXIT_PASS },
        { "Xid (", NODE_EXIT_PASS },
    };
    for (size_t i = 0; i < COUNT_OF(MESSAGES); i++) {
        assert_int_equal(check_message(MESSAGES[i].message), MESSAGES[i].status);
    }
}

static void test_a_file_system_that_waits_to_be_asked_for_passes(void **state) {
    (void)state;
    begin("dtc-expect 1\nmount /fsx lustre\n");

    assert_int_equal(check(), NODE_EXIT_PASS);

    assert_says("\"got\":\"lustre\",\"at\":\"/fsx\"");
}

static void test_a_failure_is_looked_at_for_all_of_the_time(void **state) {
    (void)state;
    begin("dtc-expect 1\nmodule none\n?module other\n");

    assert_int_equal(check_for("45"), NODE_EXIT_IMAGE);

    assert_int_equal(kernel.now_ms, 45000);
}

static void test_a_warning_is_looked_at_for_half_a_minute(void **state) {
    (void)state;
    begin("dtc-expect 1\n?module none\n");

    assert_int_equal(check_for("45"), NODE_EXIT_PASS);

    assert_int_equal(kernel.now_ms, NODE_WARNING_MS);
}

static void test_a_warning_is_looked_at_for_no_longer_than_there_is(void **state) {
    (void)state;
    begin("dtc-expect 1\n?module none\n");

    assert_int_equal(check_for("10"), NODE_EXIT_PASS);

    assert_int_equal(kernel.now_ms, 10000);
}

static void test_what_cannot_heal_is_looked_at_once(void **state) {
    (void)state;
    static const char *const RECORDS[] = {
        "dtc-expect 1\ntype p5.48xlarge\nmodule none\n",
        "dtc-expect 1\nmodule none\nmem.mib 1\n",
        "dtc-expect 1\n?type p5.48xlarge\n",
        "dtc-expect 1\ncpu 1\n",
    };
    for (size_t i = 0; i < COUNT_OF(RECORDS); i++) {
        begin(RECORDS[i]);

        (void)check_for("45");

        assert_int_equal(kernel.now_ms, 0);
    }
}

static void test_a_verdict_that_does_not_fit_the_disk_is_none(void **state) {
    (void)state;
    begin("dtc-expect 1\nklog 79\n");
    kernel.room = 20;

    assert_int_equal(check(), NODE_EXIT_INTERNAL);

    assert_string_equal(kernel.verdict, "");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_a_clock_that_is_held_passes),
        cmocka_unit_test(test_a_clock_that_nothing_holds_fails),
        cmocka_unit_test(test_a_clock_that_cannot_be_asked_fails),
        cmocka_unit_test(test_a_log_that_is_read_to_its_end_passes),
        cmocka_unit_test(test_what_stands_behind_overwritten_messages_is_found),
        cmocka_unit_test(test_a_log_that_fails_while_it_is_read_fails),
        cmocka_unit_test(test_a_gpu_that_cannot_be_initialised_fails_once),
        cmocka_unit_test(test_gpus_none_of_which_can_be_initialised_have_no_driver),
        cmocka_unit_test(test_a_message_says_whether_its_error_is_fatal),
        cmocka_unit_test(test_a_file_system_that_waits_to_be_asked_for_passes),
        cmocka_unit_test(test_a_failure_is_looked_at_for_all_of_the_time),
        cmocka_unit_test(test_a_warning_is_looked_at_for_half_a_minute),
        cmocka_unit_test(test_a_warning_is_looked_at_for_no_longer_than_there_is),
        cmocka_unit_test(test_what_cannot_heal_is_looked_at_once),
        cmocka_unit_test(test_a_verdict_that_does_not_fit_the_disk_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
