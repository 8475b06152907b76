// A page on stdin → its bytes on stdout.

import { json } from 'node:stream/consumers'
import { drawChart } from './charts.ts'
import type { ReportPage } from './page.ts'

async function press(page: ReportPage, format: string): Promise<Uint8Array> {
  const pictures: string[] = []
  for (const chart of page.charts) pictures.push(await drawChart(chart))
  if (format === 'html') return Buffer.from((await import('./html.ts')).writeHtml(page, pictures))
  return (await import('./pdf.ts')).makePdf(page, pictures)
}

const page = (await json(process.stdin)) as ReportPage
process.stdout.end(await press(page, process.argv[2] ?? ''))
