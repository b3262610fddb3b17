#!/usr/bin/env bash
# Makes an OCI image of Debian's packages and the WarpDojo package: scripts/image.sh DEB [OUT]   (OUT: warpdojo-oci.tar)
# It holds clang, so it needs no file of NVIDIA's; grade, play, watch and `app` with a forwarded display run from it:
#   podman load -i warpdojo-oci.tar;  podman run --rm -v "$PWD:/class" localhost/warpdojo:latest grade /class --secret WORDS
# Run as root; it needs mmdebstrap, umoci and Debian's package servers.
set -euo pipefail
deb=$(realpath "$1")
out=$(realpath -m "${2:-warpdojo-oci.tar}")
for tool in mmdebstrap umoci; do
  command -v $tool >/dev/null || { echo "image.sh: $tool is missing: apt-get install $tool" >&2; exit 2; }
done
work=$(mktemp -d)
trap 'rm -rf --one-file-system "$work"' EXIT
version=$(dpkg-deb -f "$deb" Version)

# Left out: manual pages, translations, documents other than licences. Of what clang brings along, what neither WarpDojo
# nor git loads: its library for editors, archives for static linking, sanitizers, headers of other processors. 110 MB
# in all.
gcc=/usr/lib/gcc/x86_64-linux-gnu/12 libraries=/usr/lib/x86_64-linux-gnu headers=/usr/lib/llvm-19/lib/clang/19/include
left_out=(/usr/share/{man,locale,info}/\* /usr/share/doc/\* /usr/lib/llvm-19/lib/libclang-19\* $libraries/libclang-19\*
  $gcc/lib{asan,tsan,lsan,ubsan,hwasan,stdc++,stdc++fs}.a $libraries/lib{c,m-2.36,mvec}.a $libraries/perl/\*/CORE/\*
  $libraries/lib{asan,tsan,lsan,ubsan,hwasan,gprofng}.so\* /usr/lib/llvm-19/lib/LLVMPolly.so
  $headers/{arm,altivec,riscv,opencl,hexagon,hvx,wasm,vec,s390,sifive,lasx,lsx,larch}\*
  /usr/bin/x86_64-linux-gnu-{dwp,ld.gold})
mmdebstrap --quiet --variant=apt --aptopt='Acquire::Languages "none"' "${left_out[@]/#/--dpkgopt=path-exclude=}" \
  --dpkgopt='path-include=/usr/share/doc/*/copyright' --dpkgopt='path-include=/usr/share/doc/warpdojo/*' \
  --customize-hook="copy-in '$deb' /tmp" \
  --customize-hook="chroot \"\$1\" sh -c 'DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
    /tmp/$(basename "$deb") clang-19 libgl1 libgl1-mesa-dri git && rm /tmp/*.deb && useradd -m student'" \
  bookworm "$work/root" >"$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; exit 1; }
printf 'the root: %.0f MB\n' "$(du -sk "$work/root" | cut -f1)e-3"

umoci init --layout "$work/image"
umoci new --image "$work/image:latest"
umoci unpack --image "$work/image:latest" "$work/bundle"
rm -rf "$work/bundle/rootfs"
mv "$work/root" "$work/bundle/rootfs"
umoci repack --image "$work/image:latest" "$work/bundle"
umoci config --image "$work/image:latest" --config.user student --config.workingdir /home/student \
  --config.entrypoint warpdojo --config.cmd list --config.label org.opencontainers.image.version="$version" \
  --config.label org.opencontainers.image.title=WarpDojo
sed -i 's/"org.opencontainers.image.ref.name":"latest"/"org.opencontainers.image.ref.name":"localhost\/warpdojo:latest"/' \
  "$work/image/index.json"
tar -C "$work/image" -cf "$out" .
printf 'the image, compressed layers: %.0f MB\n' "$(du -k "$out" | cut -f1)e-3"
