// Markdown that a model wrote. As HTML it holds text and emphasis; links and pictures lose what they point at, so that a
// model's text never makes a reader's browser go anywhere.

import rehypeSanitize from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import { unified } from 'unified'

const tagNames = ['p', 'br', 'strong', 'em', 'del', 'code', 'pre', 'ul', 'ol', 'li', 'blockquote']

const parser = unified().use(remarkParse).use(remarkGfm)
const processor = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype)
  .use(rehypeSanitize, { tagNames, attributes: {}, strip: ['script', 'style'] })
  .use(rehypeStringify)

export const formatText = (markdown: string): string => String(processor.processSync(markdown))

interface FormattedPiece {
  type: string
  value?: string
  children?: FormattedPiece[]
}

const blocks: ReadonlySet<string> = new Set(['root', 'list', 'listItem', 'blockquote', 'table'])

function plainOf({ type, value, children = [] }: FormattedPiece): string {
  if (type === 'break') return '\n'
  if (value !== undefined) return value
  const inline = type === 'tableRow' ? ' ' : ''
  const inner = children.map(plainOf).join(blocks.has(type) ? '\n' : inline)
  return type === 'listItem' ? `• ${inner}` : inner
}

/** Its text alone: a line for each paragraph and each item. */
export const plainText = (markdown: string): string => plainOf(parser.parse(markdown))
