// PostgreSQL, Patroni, etcd and HAProxy from Debian packages, unpacked once into a directory. Nothing is installed.

import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const SUITE = 'trixie'
const PACKAGES = [
  'dash',
  'libc-bin',
  'tzdata',
  'postgresql-17',
  'postgresql-17-pgvector',
  'patroni',
  'python3-etcd',
  'python3-psycopg2',
  'etcd-server',
  'haproxy',
]
/** User and group of all servers. */
export const SERVER_UID = 5432

const UNPACK = `set -euo pipefail
root=$1 suite=$2 uid=$3; shift 3
apt=$root.apt keyring=/usr/share/keyrings/debian-archive-keyring.gpg
mirror=$(apt-get indextargets --format '$(SITE) $(RELEASE)' 'Created-By: Packages' |
  awk '!site && $2 !~ /security|updates|backports/ { site = $1 } END { print site }')
[[ $mirror ]] || { echo 'apt has no Debian mirror' >&2; exit 1; }
rm -rf "$apt" "$root.new"
mkdir -p "$apt"/{state,lists/partial,cache/archives/partial} "$root.new"/{data,dev,proc,etc,tmp,run,usr/{bin,sbin,lib,lib64}}
: >"$apt/status"
echo "deb [signed-by=$keyring] $mirror $suite main" >"$apt/sources.list"
options=(-qq -o Dir::Etc::sourcelist="$apt/sources.list" -o Dir::Etc::sourceparts=/dev/null
  -o Dir::Etc::preferencesparts=/dev/null -o Dir::State="$apt/state" -o Dir::State::lists="$apt/lists"
  -o Dir::State::status="$apt/status" -o Dir::Cache="$apt/cache" -o APT::Sandbox::User=root
  -o Acquire::Languages=none -o Acquire::IndexTargets::deb::DEP-11::DefaultEnabled=false -o Acquire::Retries=3)
apt-get "\${options[@]}" update
apt-get "\${options[@]}" install -y --no-install-recommends --download-only "$@"
ln -s usr/bin usr/sbin usr/lib usr/lib64 "$root.new"
for package in "$apt"/cache/archives/*.deb; do
  dpkg-deb --fsys-tarfile "$package" | tar -x -C "$root.new" --exclude=./usr/share/doc --exclude=./usr/share/man --exclude=./usr/share/locale
done
chmod 1777 "$root.new/tmp"
printf 'root:x:0:0::/:/bin/sh\\npostgres:x:%s:%s::/data:/bin/sh\\n' "$uid" "$uid" >"$root.new/etc/passwd"
printf 'root:x:0:\\npostgres:x:%s:\\n' "$uid" >"$root.new/etc/group"
echo 'trusted = true' >>"$root.new/usr/share/postgresql/17/extension/vector.control"
rm -rf "$apt" && mv "$root.new" "$root"`

/** The directory with the unpacked packages. */
export async function unpackServers(): Promise<string> {
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache')
  const root = join(process.env.OCTAVO_CLUSTER_DIR ?? join(cache, 'octavo-cluster'), SUITE)
  if (existsSync(root)) return root
  await promisify(execFile)('mkdir', ['-p', join(root, '..')])
  await promisify(execFile)('bash', ['-c', UNPACK, '--', root, SUITE, String(SERVER_UID), ...PACKAGES])
  return root
}
