// Numbers, times and states as people say them.

const UNITS = ['B', 'kB', 'MB', 'GB', 'TB']

export function bytes(count: number): string {
  let [value, unit] = [count, 0]
  for (; value >= 1000 && unit < UNITS.length - 1; unit++) value /= 1000
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${UNITS[unit]}`
}

export const plural = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`

/** How many pages, or how many of them are read. */
export function pageCountText({ page_count, pages_ready }: { page_count: number; pages_ready: number }): string {
  if (page_count === 0) return ''
  return pages_ready === page_count ? String(page_count) : `${pages_ready}/${page_count}`
}

/** `partially_ready` is for programs. */
export const spoken = (word: string): string => word.replaceAll('_', ' ')

export function ago(time: string, now = Date.now()): string {
  const seconds = Math.max(0, Math.round((now - Date.parse(time)) / 1000))
  if (seconds < 90) return `${seconds} s ago`
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min ago`
  if (seconds < 36 * 3600) return `${Math.round(seconds / 3600)} h ago`
  return `${Math.round(seconds / 86_400)} days ago`
}
