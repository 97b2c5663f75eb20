# Runs a command as a container engine would with a read-only root, no capabilities and an unprivileged user:
#   unshare --mount sh -eu sandbox.sh ROOT PROGRAM BUNDLE SERVICE_ACCOUNT COMMAND...
# ROOT, an empty folder, becomes the root: the program, the libraries that it is linked to, the bundle, the files of the
# service account, /proc, /dev/null and /dev/urandom. Nothing else is there, no shell either.
root=$1 program=$2 bundle=$3 account=$4
shift 4
setpriv=$(command -v setpriv)

mount -t tmpfs -o size=32m,mode=755 tmpfs "$root"
mkdir -p "$root/bin" "$root/sluice" "$root/proc" "$root/dev" "$root/run/secrets/kubernetes.io/serviceaccount" "$root/var"
ln -s /run "$root/var/run"
for library in $(ldd "$program" "$setpriv" | grep -o '/[^ :]*\.so[^ :]*' | sort -u); do
  mkdir -p "$root${library%/*}"
  cp -L "$library" "$root$library"
done
# As the kubelet lays them out: links to a folder that is exchanged as a whole.
secrets=$root/run/secrets/kubernetes.io/serviceaccount
mkdir "$secrets/..1"
cp "$account"/* "$secrets/..1"
ln -s ..1 "$secrets/..data"
for file in "$account"/*; do ln -s "..data/${file##*/}" "$secrets/${file##*/}"; done
cp "$setpriv" "$root/bin/setpriv"
cp "$bundle" "$root/sluice/relay.js"
: > "$root/bin/deno"
: > "$root/dev/null"
: > "$root/dev/urandom"
mount --bind "$program" "$root/bin/deno"
mount -o remount,bind,ro,nosuid "$root/bin/deno"
for device in null urandom; do mount --bind "/dev/$device" "$root/dev/$device"; done
mount -t proc -o ro,nosuid,nodev,noexec proc "$root/proc"
mount -o remount,ro,nosuid "$root"

cd "$root"
exec chroot "$root" /bin/setpriv --reuid=65532 --regid=65532 --clear-groups --bounding-set=-all --inh-caps=-all \
  --no-new-privs -- "$@"
