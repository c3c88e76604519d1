#!/bin/bash
# Runs what nodes on AWS Batch and AWS PCS mount file systems with, as a build writes it: mounts.sh DTC. mount, mountpoint, yum,
# apt-get, systemctl and their like are stand-ins. A node mounts each file system once, and tries again where one is not
# there yet. Where one stays away, a node of AWS Batch takes no jobs, and one of AWS PCS has an empty place that nobody can
# write to: it is not ended, since PCS would start another one for ever.
set -u
cd "$(dirname "$0")/.." || exit 3
. tests/support/claims.sh
dtc=$(realpath "$1") || exit 3
scratch=$(mktemp -d) || exit 3
trap 'rm -rf "$scratch"' EXIT
export LC_ALL=C NO_COLOR=1 scratch

cat >"$scratch/infra.dt" <<'END'
dt 1

network lab {
  zones   = ["us-west-2a"]
  vpc     = "vpc-0123456789abcdef0"
  private = ["subnet-0123456789abcdef0"]
}

storage fsx  { kind = lustre, existing = "fs-0123456789abcdef0", mount_name = "abcdefgh", mount = "/fsx", mount_options = ["noatime"] }
storage home { kind = efs, existing = "fs-0123456789abcdef1", mount = "/shared/home" }
storage nfs4 { kind = nfs, server = "nfs.example.com:/export", mount = "/files" }

cluster llm on batch {
  network = lab
  storage = [fsx, home, nfs4]
  nodes small { instance = "c7i.4xlarge", count = 0..2 }
}
END
"$dtc" build "$scratch/infra.dt" -o "$scratch/out" >/dev/null 2>&1 || exit 3

# The parts of the message, as cloud-init runs them. A test has no /run/dtc and makes no folders.
parts() { # TEMPLATE
    sed -n '/Base64\(: !Sub\)\? |/,/--==PART==--/{s/^ *//;p}' "$1" |
        sed "s|/run/dtc|$scratch/run|g; s|/dev/console|$scratch/console|g; s|mkdir -p|true|; s|\${!|\${|g; s|/etc/|$scratch/etc/|g" |
        awk -v to="$scratch/part" '/^--==PART==/ { close(file); part++; file = to part; body = 0; next }
            file && body { print > file } file && /^$/ { body = 1 }'
}
parts "$scratch/out/llm.cfn.yaml"

mkdir "$scratch/bin"
cat >"$scratch/bin/mountpoint" <<'END'
#!/bin/sh
grep -qx "$2" "$scratch/mounted" 2>/dev/null
END
cat >"$scratch/bin/mount" <<'END'
#!/bin/sh
echo "$*" >>"$scratch/mounts"
for place; do :; done
[ ! -e "$scratch/away" ] || [ "$(grep -c " $place\$" "$scratch/mounts")" -gt "$(cat "$scratch/away")" ] || exit 32
echo "$place" >>"$scratch/mounted"
END
cat >"$scratch/bin/yum" <<'END'
#!/bin/sh
echo "$3" >>"$scratch/installed"
[ ! -e "$scratch/no-packages" ] || exit 1
case $3 in
lustre-client) program=lustre ;;
amazon-efs-utils) program=efs ;;
*) program=nfs4 ;;
esac
printf '#!/bin/sh\n' >"$scratch/bin/mount.$program"
chmod +x "$scratch/bin/mount.$program"
END
cat >"$scratch/bin/apt-get" <<'END'
#!/bin/sh
for package; do :; done
[ "$package" = update ] || echo "$package" >>"$scratch/installed"
[ ! -e "$scratch/no-packages" ] || exit 1
case $package in
lustre*) program=lustre ;;
nfs*) program=nfs4 ;;
*) exit 0 ;;
esac
printf '#!/bin/sh\n' >"$scratch/bin/mount.$program"
chmod +x "$scratch/bin/mount.$program"
END
# The installer of EFS is a script that is fetched; what else is fetched is a key.
cat >"$scratch/bin/curl" <<'END'
#!/bin/sh
for url; do :; done
echo "$url" >>"$scratch/fetched"
case $url in *efs-utils*) printf 'echo amazon-efs-utils "$@" >>"$scratch/installed"\nprintf "#!/bin/sh\\n" >"$scratch/bin/mount.efs"\nchmod +x "$scratch/bin/mount.efs"\n' >"$scratch/run/efs" ;; esac
END
cat >"$scratch/bin/modprobe" <<'END'
#!/bin/sh
[ ! -e "$scratch/new-kernel" ]
END
cat >"$scratch/bin/systemctl" <<'END'
#!/bin/sh
echo "$*" >>"$scratch/orders"
END
printf '#!/bin/sh\n' | tee "$scratch/bin/sleep" "$scratch/bin/logger" >/dev/null
cat >"$scratch/bin/timeout" <<'END'
#!/bin/sh
shift
exec "$@"
END
chmod +x "$scratch/bin/"*

# What a machine of this test has is none of the node's; the tools of Ubuntu are there where a test has them.
mkdir "$scratch/tools" "$scratch/etc" "$scratch/etc/apt" "$scratch/etc/apt/sources.list.d"
ln -s /usr/bin/* /bin/* /usr/sbin/mkfs.ext4 "$scratch/tools" 2>/dev/null
rm -f "$scratch"/tools/{apt-get,yum,curl,modprobe,mount,mountpoint,systemctl}
tools=$scratch/tools
echo VERSION_CODENAME=noble >"$scratch/etc/os-release"
ubuntu=$scratch/ubuntu
mkdir "$ubuntu"
mv "$scratch/bin/apt-get" "$ubuntu"
start() {
    local part
    for part in "$scratch"/part*; do
        PATH=$scratch/bin:$tools bash "$part" >>"$scratch/log" 2>&1
    done
}

fresh() {
    rm -rf "$scratch/run" "$scratch"/bin/mount.* "$scratch"/etc/apt/sources.list.d/* \
        "$scratch"/{mounts,mounted,installed,fetched,orders,users,away,no-packages,new-kernel,log,console}
}

evidence() {
    cat "$scratch"/{log,mounts,installed,fetched,orders,users} 2>/dev/null
}

is() { # FILE TEXT
    [ "$(cat "$scratch/$1" 2>/dev/null)" = "$2" ]
}

takes_jobs() {
    [ ! -e "$scratch/orders" ] && [ ! -e "$scratch/run/failed" ]
}

takes_none() {
    [ "$(sort -u "$scratch/orders")" = 'mask --now --no-block ecs.service' ] && [ -e "$scratch/run/failed" ]
}

each='-t lustre -o relatime,flock,noatime fs-0123456789abcdef0.fsx.us-west-2.amazonaws.com@tcp:/abcdefgh /fsx
-t efs -o tls fs-0123456789abcdef1:/ /shared/home
-t nfs4 -o nfsvers=4.1,rsize=1048576,wsize=1048576,hard,timeo=600,retrans=2,noresvport nfs.example.com:/export /files'

fresh
start
claim 'each file system is mounted by its helper' is mounts "$each"
claim 'helpers that are not there are installed' is installed "$(printf '%s\n' lustre-client amazon-efs-utils nfs-utils)"
claim 'a node with its file systems takes jobs' takes_jobs
start
claim 'what is mounted is left alone' is mounts "$each"
rm -f "$scratch/mounted"
start
claim 'a second boot mounts again, and installs nothing' is installed "$(printf '%s\n' lustre-client amazon-efs-utils nfs-utils)"

fresh
echo 3 >"$scratch/away"
start
claim 'one that comes late is tried again' is mounted "$(printf '%s\n' /fsx /shared/home /files)"
claim 'and the node takes jobs' takes_jobs

fresh
echo 100 >"$scratch/away"
start
claim 'one that stays away keeps the node from jobs' takes_none
claim 'the console says which' grep -qs 'abcdefgh cannot be mounted at /fsx' "$scratch/console"
claim 'the others are tried as well' grep -qs 'export cannot be mounted at /files' "$scratch/console"

fresh
: >"$scratch/no-packages"
start
claim 'so does a client that cannot be installed' takes_none
claim 'which is not asked to mount' [ ! -e "$scratch/mounts" ]

# On AWS PCS, where jobs run as users.
sed -e 's/on batch {/on pcs {\n  ami = "ami-0123456789abcdef0"\n  slurm { version = "25.11" }/' -e 's|"/shared/home"|"/home"|' \
    -e 's/^storage nfs4 .*/storage nfs4 { kind = efs, mount = "\/files" }/' "$scratch/infra.dt" >"$scratch/pcs.dt"
"$dtc" build "$scratch/pcs.dt" -o "$scratch/pcs" >/dev/null 2>&1 || exit 3
rm -f "$scratch"/part*
parts "$scratch/pcs/llm.cfn.yaml"
cat >"$scratch/bin/stat" <<'END'
#!/bin/sh
cat "$scratch/mode"
END
for program in cp umount chmod; do
    printf '#!/bin/sh\n[ "$1" != +x ] || exec /bin/chmod "$@"\necho "%s $*" >>"$scratch/users"\n' "$program" \
        >"$scratch/bin/$program"
done
chmod +x "$scratch/bin/"*
copied="cp -an $scratch/run/home/. /home
umount $scratch/run/home"

fresh
echo 0:755 >"$scratch/mode"
start
claim 'homes of the image are copied, and users may write to what is new' is users "$copied
chmod 1777 /files"
claim 'the homes are kept before /home is hidden' grep -qx -m 1 -e "--bind /home $scratch/run/home" "$scratch/mounts"

fresh
echo 0:2775 >"$scratch/mode"
start
claim 'a mode that somebody chose stays' is users "$copied"

seals() { # PLACE…
    local place
    for place; do
        grep -qxF -e "-t tmpfs -o ro,mode=555 missing $place" "$scratch/mounts" || return 1
    done
}
stays() {
    [ ! -e "$scratch/orders" ]
}

fresh
echo 100 >"$scratch/away"
start
claim 'a node of AWS PCS without its file systems has places that nobody can write to' seals /fsx /home /files
claim 'and is not ended, since another one would have the same fault' stays
claim 'its console says so' grep -qs 'cannot be mounted at /home; jobs find an empty place there' "$scratch/console"

fresh
: >"$scratch/no-packages"
start
claim 'a client that cannot be installed ends no node of AWS PCS either' stays
claim 'it has the places all the same' seals /fsx /home /files

# Of an image whose system nobody has said, and that is Ubuntu.
mv "$scratch/bin/yum" "$scratch/yum"
cp "$ubuntu/apt-get" "$scratch/bin"
fresh
start
claim 'Ubuntu has the client of its kernel, and that of EFS' is installed "lustre-client-modules-$(uname -r)
amazon-efs-utils --install"
claim 'from the repositories of AWS' is fetched 'https://fsx-lustre-client-repo-public-keys.s3.amazonaws.com/fsx-ubuntu-public-key.asc
https://amazon-efs-utils.aws.com/efs-utils-installer.sh'
claim 'the one of FSx for its release' is etc/apt/sources.list.d/fsx.list \
    'deb [signed-by=/usr/share/keyrings/fsx.asc] https://fsx-lustre-client-repo.s3.amazonaws.com/ubuntu noble main'
claim 'what is there on Ubuntu is mounted' is mounted "/fsx
$scratch/run/home
/home
/files"
claim 'nothing is sealed there' [ "$(grep -c tmpfs "$scratch/mounts")" = 0 ]
rm -f "$scratch/mounted"
: >"$scratch/new-kernel"
start
claim 'a boot with another kernel installs the client for that one' \
    [ "$(grep -c lustre-client-modules "$scratch/installed")" -gt 1 ]

sed 's/kind = efs, mount = "\/files"/kind = nfs, server = "nfs.example.com:\/export", mount = "\/files"/; s/slurm {/os = ubuntu2404\n  slurm {/' \
    "$scratch/pcs.dt" >"$scratch/nfs.dt"
"$dtc" build "$scratch/nfs.dt" -o "$scratch/nfs" >/dev/null 2>&1 || exit 3
rm -f "$scratch"/part*
parts "$scratch/nfs/llm.cfn.yaml"
fresh
start
claim 'and that of NFS' grep -qsx nfs-common "$scratch/installed"

sed 's/slurm {/os = al2023\n  slurm {/' "$scratch/pcs.dt" >"$scratch/al.dt"
"$dtc" build "$scratch/al.dt" -o "$scratch/al" >/dev/null 2>&1 || exit 3
claim 'an image of Amazon Linux has no words of Ubuntu in its user data' [ "$(grep -c apt-get "$scratch/al/llm.cfn.yaml")" = 0 ]

finish
