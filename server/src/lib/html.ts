// HTML from template literals. Every value is escaped unless it is HTML already.

export class Html {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type HtmlValue = string | number | Html | readonly Html[] | null

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character] ?? '')

function render(value: HtmlValue | undefined): string {
  if (value === null || value === undefined) return ''
  if (value instanceof Html) return value.text
  if (typeof value === 'string' || typeof value === 'number') return escapeHtml(String(value))
  return value.map(({ text }) => text).join('')
}

/** `null` renders nothing; attribute values need quotes. */
export function html(parts: TemplateStringsArray, ...values: HtmlValue[]): Html {
  return new Html(parts.map((part, i) => part + render(values[i])).join(''))
}
