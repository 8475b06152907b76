// Derives synchronous Python from asynchronous Python, so that both halves of the client have one source.

const rules: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/\basync (def|with|for)\b/g, '$1'],
  [/\bawait /g, ''],
  [/\bAsyncGenerator\[([\w.]+), None\]/g, 'Generator[$1, None, None]'],
  [/\bAwaitable\[(\w+)\]/g, '$1'],
  [/\bAwaitable, /g, ''],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\b__a(enter|exit|iter|next)__\b/g, '__$1__'],
  [/\ba(iter_text|iter_bytes|read|close)\b/g, '$1'],
  [/\bAsync(?=[A-Z])/g, ''],
  [/\basync_(?=[a-z])/g, ''],
]

const GENERATED = '# Written by `npm run openapi` from'

export function syncFromAsync(text: string): string {
  const derived = rules.reduce((all, [pattern, replacement]) => all.replaceAll(pattern, replacement), text)
  if (derived.trim() === '' || derived.startsWith(GENERATED)) return derived
  return `# Written by \`npm run openapi\` from the same file in _async. Changes made here are lost.\n\n${derived}`
}
