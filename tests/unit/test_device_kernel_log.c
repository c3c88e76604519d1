// Each message of the kernel that counts, and those beside it that do not.
#include "stdlib/node/device/kernel_log.h"

#include "tests/support/check.h"

static void assert_fault(const char *message, Level level, const char *check, const char *device, const char *what) {
    LogFault fault;
    if (!log_judge(message, &fault)) {
        fail_msg("`%s` is no fault", message);
    }
    assert_int_equal(fault.level, level);
    assert_string_equal(findings_id(fault.check), check);
    assert_string_equal(fault.device, device);
    assert_string_equal(fault.what, what);
}

static void assert_nothing(const char *message) {
    LogFault fault;
    if (log_judge(message, &fault)) {
        fail_msg("`%s` is a fault: %s", message, fault.what);
    }
}

static void test_an_xid_has_its_device_and_action(void **state) {
    (void)state;
    assert_fault("3,9,9,-;NVRM: Xid (PCI:0000:53:00): 79, pid=1, GPU has fallen off the bus.", LEVEL_FAIL, "log.gpu",
                 "0000:53:00", "79:reboot");
    assert_fault("3,9,9,-;NVRM: Xid (PCI:0000:53:00): 149, NETIR_LINK_EVT  Fatal   XC0", LEVEL_FAIL, "log.gpu",
                 "0000:53:00", "149:flow");
}

static void test_errors_of_programs_and_what_is_over_are_none(void **state) {
    (void)state;
    assert_nothing("3,9,9,-;NVRM: Xid (PCI:0000:53:00): 31, pid=1");
    assert_nothing("3,9,9,-;NVRM: Xid (PCI:0000:53:00): 149, NETIR_BER_EVENT  Nonfatal XC0");
    assert_nothing("3,9,9,-;NVRM: Xid (PCI:0000:53:00): 154, changed from 0x1 (GPU Reset Required) to 0x0 (None)");
    assert_nothing("3,9,9,-;NVRM: Xid (");
    assert_nothing("Xid (");
    assert_nothing("SXid (a): x");
    assert_nothing("");
}

static void test_an_sxid_is_fatal_or_asks_for_something(void **state) {
    (void)state;
    assert_fault("nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 20034, Fatal, Link 28", LEVEL_FAIL, "log.nvswitch",
                 "0000:c2:00.0", "20034:fatal");
    assert_fault("nvidia-nvswitch4: SXid (PCI:0000:c6:00.0): 19084, Non-fatal, Link 29", LEVEL_WARN, "log.nvswitch",
                 "0000:c6:00.0", "19084:not-fatal");
    assert_nothing("nvidia-nvswitch4: SXid (PCI:0000:c6:00.0): 24001, Non-fatal, Link 29");
    assert_nothing("nvidia-nvswitch1: SXid (PCI:0000:84:00.0): 12028, Non-fatal, Link 35");
    assert_fault("nvidia-nvswitch1: SXid (PCI:0000:84:00.0): 12028, Fatal, Link 35", LEVEL_FAIL, "log.nvswitch",
                 "0000:84:00.0", "12028:fatal");
}

static void test_other_messages_have_the_first_device_that_they_name(void **state) {
    (void)state;
    assert_fault("NVRM: GPU 0000:53:00.0: RmInitAdapter failed! (0x26:0x65:1482)", LEVEL_FAIL, "log.gpu",
                 "0000:53:00.0", "RmInitAdapter-failed");
    assert_fault("nvme nvme3: I/O 12 QID 5 timeout, aborting", LEVEL_WARN, "log.nvme", "nvme3", "timeout,-abort");
    assert_nothing("nvme nvme3: I/O 12 QID 5 timeout, completion polled");
    assert_fault("EXT4-fs (xvdf): Remounting filesystem read-only", LEVEL_FAIL, "log.disk", "xvdf",
                 "Remounting-filesystem-read-only");
    assert_fault("NEURON_HW_ERR=DMA_ERROR hostname=a nd-id=4 nc-id=0", LEVEL_FAIL, "log.neuron", "nd-id=4",
                 "NEURON_HW_ERR=DMA_ERROR");
    assert_fault("{1}[Hardware Error]: event severity: fatal", LEVEL_FAIL, "log.machine", "kernel", "severity:-fatal");
    assert_nothing("{1}[Hardware Error]: event severity: corrected");
    assert_nothing("mce: [Hardware Error]: Machine check events logged");
    assert_nothing("pcieport 0000:52:01.0: AER: Uncorrectable (Non-Fatal) error message received");
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_an_xid_has_its_device_and_action),
        cmocka_unit_test(test_errors_of_programs_and_what_is_over_are_none),
        cmocka_unit_test(test_an_sxid_is_fatal_or_asks_for_something),
        cmocka_unit_test(test_other_messages_have_the_first_device_that_they_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
