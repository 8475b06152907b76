// Renders a chart as SVG. Field names are fixed and document text is passed only as values, so it is never evaluated as an expression.

import type { Chart } from './report.ts'

const WIDTH = 520
const BAR = 26
const LINE_HEIGHT = 220
const INK = '#1f2937'
const QUIET = '#6b7280'
const COLOUR = '#2f6f8f'
/** Browsers and the typesetter use the first font that is installed. */
const FONT = 'Noto Sans, Liberation Sans, DejaVu Sans, sans-serif'
/** Width of the whole chart, including labels. */
const autosize = { type: 'fit-x', contains: 'padding' } as const
const TIME = /^\d{4}-\d\d-\d\d(T[\d:.]+Z)?$/

const config = {
  background: 'transparent',
  font: FONT,
  view: { stroke: null },
  aria: false,
  axis: {
    labelFontSize: 13,
    titleFontSize: 13,
    titleFontWeight: 'normal',
    labelColor: INK,
    titleColor: QUIET,
    gridColor: '#e5e7eb',
    domain: false,
    ticks: false,
    labelPadding: 6,
    labelLimit: 230,
    titlePadding: 10,
  },
} as const

/** Whole numbers get an axis without fractions. */
const stepOf = (data: Chart['data']): object =>
  data.every((point) => Number.isInteger(point.y)) ? { tickMinStep: 1 } : {}

function barsOf({ x, y, data }: Chart) {
  return {
    height: { step: BAR },
    mark: { type: 'bar', color: COLOUR, cornerRadiusEnd: 2, height: { band: 0.7 } },
    encoding: {
      y: { field: 'x', type: 'nominal', sort: null, title: null, axis: { grid: false, labelAlign: 'right' } },
      x: { field: 'y', type: 'quantitative', title: y || x, axis: { tickCount: 5, ...stepOf(data) } },
    },
  } as const
}

function chartLine({ x, y, data }: Chart) {
  const is_time = data.every((point) => TIME.test(point.x))
  return {
    height: LINE_HEIGHT,
    mark: {
      type: 'line',
      color: COLOUR,
      strokeWidth: 2,
      point: data.length <= 40 ? { color: COLOUR, size: 36 } : false,
    },
    encoding: {
      x: {
        field: 'x',
        ...(is_time ? { type: 'temporal', scale: { type: 'utc' } } : { type: 'ordinal', sort: null }),
        title: x,
        axis: { grid: false, labelAngle: 0, labelOverlap: true, tickCount: 6 },
      },
      y: { field: 'y', type: 'quantitative', title: y, axis: { tickCount: 5, ...stepOf(data) } },
    },
  } as const
}

export async function drawChart(chart: Chart): Promise<string> {
  const [{ parse, View }, { compile }] = await Promise.all([import('vega'), import('vega-lite')])
  const values = [...chart.data]
  // A single point cannot be drawn as a line.
  const shape = chart.kind === 'bar' || values.length === 1 ? barsOf(chart) : chartLine(chart)
  const { spec } = compile({ width: WIDTH, padding: 4, autosize, data: { values }, config, ...shape } as Parameters<
    typeof compile
  >[0])
  return new View(parse(spec), { renderer: 'none' }).toSVG()
}
