#!/bin/bash
# Switches pyxis on in a cluster of ParallelCluster, so that `srun --container-image` runs containers. It runs on the head
# node, as root, and may run again. A person's own setup of pyxis or enroot stays as it is.
#
# /opt/slurm is the head node's and seen by all nodes. Nodes prepare themselves before their first job, by a prolog
# (ParallelCluster 3.6 and later; ParallelCluster User Guide, Slurm prolog and epilog, Running containerized jobs with
# Pyxis, 2026-11).
: "${settings:?}"
set -euo pipefail
umask 22
etc=/opt/slurm/etc
plugin=/usr/local/lib/slurm/spank_pyxis.so

if [ ! -e $plugin ]; then
    echo "no $plugin here: images of ParallelCluster have pyxis from 3.11.1 on" >&2
    exit 1
fi
mkdir -p $etc/plugstack.conf.d $etc/scripts/prolog.d

# Slurm runs and reads all that stands in those folders: a file is written elsewhere, and moved there when it is whole.
cat >$etc/dtc-pyxis.new <<'END'
#!/bin/sh
# Slurm's prolog: places for enroot and pyxis on this node, once after each start of it. It holds up no job.
[ ! -e /run/dtc-pyxis ] || exit 0
PATH=/usr/sbin:/usr/bin:/sbin:/bin
umask 22
# Images of containers are large: they stand on the disks of the instance, if it has any, and are gone with it.
place=/var/enroot
cfn_ephemeral_dir=
# shellcheck source=/dev/null
[ ! -e /etc/parallelcluster/cfnconfig ] || . /etc/parallelcluster/cfnconfig
if [ -n "$cfn_ephemeral_dir" ] && mountpoint -q "$cfn_ephemeral_dir"; then
    place=$cfn_ephemeral_dir/enroot
fi
# Each user makes a folder of their own there.
mkdir -p /run/pyxis /run/enroot $place/data $place/cache $place/tmp
chmod 1777 /run/enroot $place/data $place/cache $place/tmp
if ! grep -qs '^[[:space:]]*ENROOT_' /etc/enroot/enroot.conf; then
    mkdir -p /etc/enroot
    cat >/etc/enroot/enroot.conf <<CONFIGURATION
ENROOT_RUNTIME_PATH /run/enroot/user-\$(id -u)
ENROOT_DATA_PATH $place/data/user-\$(id -u)
ENROOT_CACHE_PATH $place/cache/user-\$(id -u)
ENROOT_TEMP_PATH $place/tmp
ENROOT_SQUASH_OPTIONS -noI -noD -noF -noX -no-duplicates
ENROOT_ROOTFS_WRITABLE yes
ENROOT_MOUNT_HOME no
ENROOT_RESTRICT_DEV no
CONFIGURATION
fi
# Processes that Slurm starts find each other: by PMIx, and as PyTorch expects it.
mkdir -p /etc/enroot/hooks.d
for hook in 50-slurm-pmi.sh 50-slurm-pytorch.sh; do
    if [ -e /usr/share/enroot/hooks.d/$hook ] && [ ! -e /etc/enroot/hooks.d/$hook ]; then
        cp /usr/share/enroot/hooks.d/$hook /etc/enroot/hooks.d/
    fi
done
# enroot-nsenter makes a namespace of its user. Ubuntu 24.04 keeps these from programs without a profile, since they open
# much of the kernel to everybody. enroot 3.5.0 and later bring a profile, images of ParallelCluster have 3.4.1: this is
# the same one, so that the other programs stay restricted. The rest of enroot has capabilities, and needs none.
# Where it cannot be loaded, the restriction goes, as in ParallelCluster's own test of pyxis. Sources, read 2026-11:
# NVIDIA/enroot, doc/requirements.md and conf/apparmor.profile; aws/aws-parallelcluster, pull request 6755.
userns=/proc/sys/kernel/apparmor_restrict_unprivileged_userns
profile=/etc/apparmor.d/enroot
if [ -e $userns ]; then
    if [ ! -e $profile ]; then
        mkdir -p /etc/apparmor.d
        cat >$profile <<'PROFILE'
abi <abi/4.0>,
include <tunables/global>

/usr/bin/enroot-nsenter flags=(unconfined) {
    userns create,
}
PROFILE
    fi
    apparmor_parser -r $profile || echo 0 >$userns
fi
: >/run/dtc-pyxis
exit 0
END
chmod 755 $etc/dtc-pyxis.new
mv $etc/dtc-pyxis.new $etc/scripts/prolog.d/60_dtc_pyxis

if ! grep -qs spank_pyxis $etc/plugstack.conf $etc/plugstack.conf.d/*; then
    echo "required $plugin runtime_path=/run/pyxis" >$etc/dtc-pyxis.new
    mv $etc/dtc-pyxis.new $etc/plugstack.conf.d/pyxis.conf
fi
if ! grep -qs '^[[:space:]]*include[[:space:]].*plugstack\.conf\.d' $etc/plugstack.conf; then
    echo "include $etc/plugstack.conf.d/*" >>$etc/plugstack.conf
fi
/opt/slurm/bin/scontrol reconfigure
echo "pyxis is on"
