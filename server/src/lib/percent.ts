// Percent-encoding in URLs.

/** null: a `%` that stands for nothing, as in a password that was not encoded. */
export function decodePercent(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}
