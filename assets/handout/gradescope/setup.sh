#!/usr/bin/env bash
# Gradescope runs this once, when the image of the autograder is built. It installs what WarpDojo needs and
# builds it. The CUDA packages come from NVIDIA's repository for this distribution; no GPU is needed.
set -euo pipefail
source_folder=${AUTOGRADER:-/autograder}/source
if [ ! -e /usr/local/cuda/include/nvrtc.h ]; then
  . /etc/os-release
  case $ID in
    debian) repository=debian${VERSION_ID%%.*} ;;
    ubuntu) repository=ubuntu${VERSION_ID/./} ;;
    *) echo "setup.sh knows Debian and Ubuntu, not $ID: install the CUDA Toolkit in /usr/local/cuda" >&2; exit 1 ;;
  esac
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends ca-certificates curl
  curl -fsSLo /tmp/cuda-keyring.deb \
    "https://developer.download.nvidia.com/compute/cuda/repos/$repository/x86_64/cuda-keyring_1.1-1_all.deb"
  dpkg -i /tmp/cuda-keyring.deb
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends cuda-nvcc-13-0 cuda-nvrtc-dev-13-0 cuda-cudart-dev-13-0 cuda-cccl-13-0
fi
chmod +x "$source_folder/warpdojo/warpdojo"
"$source_folder/warpdojo/warpdojo" list >/dev/null
