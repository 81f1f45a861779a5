# Debian 12 packages, and how to get those that are missing. Sourced by app/run, tests/run and .ci/run.

build_packages="g++ cmake ninja-build pkg-config ccache lld ca-certificates
  qt6-base-dev qt6-declarative-dev qt6-charts-dev qt6-svg-dev libqscintilla2-qt6-dev libgl-dev
  libasio-dev nlohmann-json3-dev libpcre2-dev libre2-dev libxml2-dev zlib1g-dev libssl-dev
  fonts-dejavu-core fonts-liberation"
run_packages="libqt6svg6 qt6-qpa-plugins"
# Real counterparts of the tests: clients, servers, a window.
test_packages="curl nodejs npm openssl procps util-linux xvfb openbox xdotool x11-utils xauth imagemagick dbus-x11 libxcb-cursor0"

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"; else sudo "$@"; fi
}

# install_packages NAME...: only what is missing; quiet when there is nothing to do.
install_packages() {
  local missing=() name
  for name; do
    case $name in
      nodejs) command -v node >/dev/null && continue ;; # any Node will do, whoever installed it
      npm) command -v npm >/dev/null && continue ;;
    esac
    dpkg-query -W -f '${db:Status-Status}\n' "$name" 2>/dev/null | grep -qx installed || missing+=("$name")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  echo "installing ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq </dev/null
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" </dev/null >/dev/null
}

# use_node20 FOLDER: Node 20, whose HTTP parser our own is compared with, comes first on the path. Debian 12 has 18; then
# the package node@20 of the npm registry is installed under FOLDER.
use_node20() {
  case $(node --version) in v20.*) return 0 ;; esac
  [ -x "$1/node_modules/node/bin/node" ] || npm install --prefix "$1" --no-fund --no-audit --silent node@20
  PATH=$(realpath "$1")/node_modules/node/bin:$PATH
  export PATH
}
