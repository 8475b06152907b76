// The archive of the log, by the command of the page, when a segment comes a second time.

import type { RestoreScene } from './scene.ts'

/** `sh` as PostgreSQL calls it: the command with the names filled in. */
const AGAIN = `wal="$BACKUP/wal"
name=$(ls "$wal" | grep -E '^[0-9A-F]{24}$' | tail -n 1)
segment="$BACKUP/segment"
archive() { command=\${ARCHIVE//%p/$segment}; sh -c "\${command//%f/$name}"; }
cp "$wal/$name" "$segment"
archive || echo "the same segment was refused when it came again"
echo 'of another server' >"$segment"
if archive; then echo "another segment of the same name was taken"; fi
if cmp -s "$segment" "$wal/$name"; then echo "an archived segment was overwritten"; fi
rm "$segment"
`

/** As after a crash between the copy and PostgreSQL's own note of it; then as from another server. Says what is wrong. */
export async function archiveAgain({ cluster }: RestoreScene): Promise<string[]> {
  const [row] = await cluster.query<{ archive_command: string }>('show archive_command')
  const told = await cluster.shell(AGAIN, { ARCHIVE: row!.archive_command })
  return told.split('\n').filter((line) => line !== '')
}
