#include "stdlib/node/collective/topology.h"

#include "tests/support/check.h"
#include "tests/support/remove_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void pair(const DevicePath *interfaces, uint32_t interface_count, const DevicePath *gpus, uint32_t gpu_count,
                 const uint32_t *expected) {
    uint32_t interfaces_of[DEVICES_MAX] = { 0 };
    topology_pair(interfaces, interface_count, gpus, gpu_count, interfaces_of);
    for (uint32_t i = 0; i < gpu_count; i++) {
        assert_int_equal(interfaces_of[i], expected[i]);
    }
}

static void test_two_gpus_share_the_interface_behind_their_bridge(void **state) {
    (void)state;
    // As on p4d.24xlarge: an interface for two GPUs.
    static const DevicePath INTERFACES[] = { "/sys/devices/pci0000:10/0000:10:00.0/0000:10:1b.0",
                                             "/sys/devices/pci0000:20/0000:20:00.0/0000:20:1b.0" };
    static const DevicePath GPUS[] = { "/sys/devices/pci0000:10/0000:10:00.0/0000:10:1c.0",
                                       "/sys/devices/pci0000:10/0000:10:00.0/0000:10:1d.0",
                                       "/sys/devices/pci0000:20/0000:20:00.0/0000:20:1c.0",
                                       "/sys/devices/pci0000:20/0000:20:00.0/0000:20:1d.0" };
    pair(INTERFACES, 2, GPUS, 4, (uint32_t[]){ 1, 1, 2, 2 });
}

static void test_a_gpu_has_all_interfaces_behind_its_bridge(void **state) {
    (void)state;
    // As on p5.48xlarge: several interfaces for a GPU. The order of either does not matter.
    static const DevicePath INTERFACES[] = { "/sys/devices/pci0000:44/0000:45:00.0/0000:4f:00.0",
                                             "/sys/devices/pci0000:55/0000:56:00.0/0000:61:00.0",
                                             "/sys/devices/pci0000:44/0000:45:00.0/0000:50:00.0",
                                             "/sys/devices/pci0000:55/0000:56:00.0/0000:62:00.0" };
    static const DevicePath GPUS[] = { "/sys/devices/pci0000:55/0000:56:00.0/0000:64:00.0",
                                       "/sys/devices/pci0000:44/0000:45:00.0/0000:53:00.0" };
    pair(INTERFACES, 4, GPUS, 2, (uint32_t[]){ 0xa, 0x5 });
}

static void test_an_interface_that_is_nearest_to_no_gpu_is_used_all_the_same(void **state) {
    (void)state;
    static const DevicePath INTERFACES[] = { "/sys/devices/pci0000:10/0000:10:1b.0",
                                             "/sys/devices/pci0000:30/0000:30:1b.0" };
    static const DevicePath GPUS[] = { "/sys/devices/pci0000:10/0000:10:1c.0", "/sys/devices/pci0000:10/0000:10:1d.0" };
    pair(INTERFACES, 2, GPUS, 2, (uint32_t[]){ 3, 1 });
}

static void test_of_what_sysfs_does_not_say_all_are_as_near(void **state) {
    (void)state;
    static const DevicePath INTERFACES[] = { "", "/sys/devices/pci0000:10/0000:10:1b.0" };
    static const DevicePath GPUS[] = { "", "" };
    pair(INTERFACES, 2, GPUS, 2, (uint32_t[]){ 3, 3 });
}

static void make_folder(const char *root, const char *path) {
    char whole[DEVICE_PATH_BYTES];
    for (const char *slash = strchr(path + 1, '/');; slash = strchr(slash + 1, '/')) {
        const int len = slash == NULL ? (int)strlen(path) : (int)(slash - path);
        (void)snprintf(whole, sizeof whole, "%s%.*s", root, len, path);
        (void)mkdir(whole, 0755);
        if (slash == NULL) {
            return;
        }
    }
}

static void test_paths_are_those_that_links_of_sysfs_lead_to(void **state) {
    (void)state;
    char root[] = "/tmp/dtc-topology-XXXXXX";
    char link[DEVICE_PATH_BYTES];
    char expected[DEVICE_PATH_BYTES];
    DevicePath path;
    assert_non_null(mkdtemp(root));
    make_folder(root, "/sys/devices/pci0000:10/0000:1b:00.0");
    make_folder(root, "/sys/bus/pci/devices");
    make_folder(root, "/sys/class/infiniband/rdmap16s27");
    (void)snprintf(link, sizeof link, "%s/sys/bus/pci/devices/0000:1b:00.0", root);
    assert_int_equal(symlink("../../../devices/pci0000:10/0000:1b:00.0", link), 0);
    (void)snprintf(link, sizeof link, "%s/sys/class/infiniband/rdmap16s27/device", root);
    assert_int_equal(symlink("../../../devices/pci0000:10/0000:1b:00.0", link), 0);
    (void)snprintf(expected, sizeof expected, "%s/sys/devices/pci0000:10/0000:1b:00.0", root);

    topology_of_gpu(root, "0000:1B:00.0", path);
    assert_string_equal(path, expected);
    topology_of_interface(root, "rdmap16s27-rdm", path);
    assert_string_equal(path, expected);
    topology_of_interface(root, "eth0", path);
    assert_string_equal(path, "");
    topology_of_gpu(root, "", path);
    assert_string_equal(path, "");

    remove_tree(root);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_gpus_share_the_interface_behind_their_bridge),
        cmocka_unit_test(test_a_gpu_has_all_interfaces_behind_its_bridge),
        cmocka_unit_test(test_an_interface_that_is_nearest_to_no_gpu_is_used_all_the_same),
        cmocka_unit_test(test_of_what_sysfs_does_not_say_all_are_as_near),
        cmocka_unit_test(test_paths_are_those_that_links_of_sysfs_lead_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
