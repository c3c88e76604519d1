# shellcheck shell=bash
# Clients of file systems on Ubuntu, in place of those that mount.sh has, where the image brings none. FSx has a
# repository with a package for each kernel, and none for some of them (FSx for Lustre User Guide, Installing the Lustre
# client; aws/aws-parallelcluster-cookbook@f75d84c3, resources/lustre, 2024-10). EFS has an installer, which
# adds a repository (EFS User Guide, Installing the Amazon EFS client, 2026-11, which names no sum of it). It is trusted
# as it is: the build says so (mount_script.c). apt waits for those who install something at the start of an image.
# Takes TYPE and PACKAGE.
client() {
    if ! command -v apt-get; then
        yum -yq install "$2" || amazon-linux-extras install -y lustre
        return
    fi
    local apt='apt-get -qyo DPkg::Lock::Timeout=60' fsx=https://fsx-lustre-client-repo key=/usr/share/keyrings/fsx.asc
    export DEBIAN_FRONTEND=noninteractive
    case $1 in
    lustre)
        . /etc/os-release
        curl -fsSm 60 -o $key $fsx-public-keys.s3.amazonaws.com/fsx-ubuntu-public-key.asc || return
        echo "deb [signed-by=$key] $fsx.s3.amazonaws.com/ubuntu $VERSION_CODENAME main" >/etc/apt/sources.list.d/fsx.list
        $apt update
        $apt install "lustre-client-modules-$(uname -r)"
        ;;
    efs)
        curl -fsSm 60 -o /run/dtc/efs https://amazon-efs-utils.aws.com/efs-utils-installer.sh && sh /run/dtc/efs --install
        ;;
    *)
        $apt update
        $apt install nfs-common
        ;;
    esac
}
