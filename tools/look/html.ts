// Blocks as HTML beside the picture of their page, in one file.

import type { Block, Table } from '@octavo/contract'

const STYLE = `body{display:flex;gap:1em;font:14px sans-serif;margin:0}img{width:50vw;align-self:flex-start;position:sticky;top:0}
main{flex:1;padding:1em}table{border-collapse:collapse}td{border:1px solid #888;padding:2px 5px;vertical-align:top}
section{border-left:3px solid #ccc;padding-left:.6em;margin:.5em 0}small{color:#a00}pre{background:#eee}dt{font-weight:bold}`

export function htmlPage(page: { name: string; picture: Buffer | null; blocks: readonly Block[] }): string {
  const image = page.picture ? `<img src="data:image/png;base64,${page.picture.toString('base64')}">` : ''
  const sections = page.blocks.map(
    (block, index) =>
      `<section><small>${index + 1} ${block.type} ${block.level ?? ''}</small>${htmlBlock(block)}</section>`,
  )
  return `<!doctype html><meta charset="utf-8"><title>${escaped(page.name)}</title><style>${STYLE}</style>${image}<main>${sections.join('\n')}</main>`
}

function htmlBlock(block: Block): string {
  const text = escaped(block.text)
  if (block.table) return htmlTable(block.table)
  if (block.fields)
    return `<dl>${block.fields.map(({ label, value }) => `<dt>${escaped(label)}<dd>${escaped(value)}`).join('')}</dl>`
  if (block.type === 'title') return `<h1>${text}</h1>`
  if (block.type === 'heading')
    return `<h${Math.min(6, (block.level ?? 1) + 1)}>${text}</h${Math.min(6, (block.level ?? 1) + 1)}>`
  if (block.type === 'list_item') return `<ul style="margin-left:${(block.level ?? 1) - 1}em"><li>${text}</ul>`
  if (block.type === 'code') return `<pre>${text}</pre>`
  return `<p>${text}</p>`
}

function htmlTable({ rows, cells }: Table): string {
  const lines = Array.from({ length: rows }, (_, row) =>
    cells
      .filter((cell) => cell.row === row + 1)
      .map((cell) => `<td rowspan="${cell.row_span}" colspan="${cell.column_span}">${escaped(cell.text)}</td>`)
      .join(''),
  )
  return `<table>${lines.map((line) => `<tr>${line}</tr>`).join('')}</table>`
}

const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)
