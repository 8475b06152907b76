// Entry point of the image: `docker run octavo <program> […]`. There is no shell in the image; the program replaces
// this process and receives its signals.

const doors: Readonly<Record<string, string>> = {
  all: 'server/src/bin/all.ts',
  api: 'server/src/bin/api.ts',
  worker: 'server/src/bin/worker.ts',
  extract: 'server/src/bin/extract.ts',
  migrate: 'server/src/bin/migrate.ts',
  admin: 'server/src/bin/admin.ts',
  doctor: 'server/src/bin/doctor.ts',
  octavo: 'cli/src/main.ts',
}

const [door = 'all', ...args] = process.argv.slice(2)
const program = doors[door]
if (program === undefined) {
  process.stderr.write(`'${door}' is not a door of this image. Doors: ${Object.keys(doors).join(', ')}\n`)
  process.exit(64)
}
const filePath = (file: string): string => new URL(file, import.meta.url).pathname
const words = [process.execPath, '--import', filePath('signals.ts'), filePath(`../${program}`), ...args]
process.execve!(process.execPath, words, process.env)
