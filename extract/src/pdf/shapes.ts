// Everything drawn on a page other than text: straight lines, filled areas, images.

import type { Box } from '../layout/types.ts'
import { type Frame, seenX, seenY } from './frame.ts'
import type { Pdfium } from './module.ts'

const MAX_OBJECTS = 20_000
const MAX_SEGMENTS = 100_000
const MAX_DEPTH = 8

const PATH = 2
const IMAGE = 3
const FORM = 5
const LINE_TO = 0
const MOVE_TO = 2

/** A line is not thicker, in points; whatever is, is an area. */
const MAX_THICKNESS = 3.2
const MIN_LENGTH = 4
const SLACK = 0.5
/** In points. */
const MIN_DRAWING = 18
/** The control points of a circle give .37, those of a rounded frame less than .25. */
const MIN_SLANTED = 0.33
/** In points, from end to end. */
const MIN_SLANT = 0.3

export interface Shapes {
  rules: Box[]
  fills: Box[]
  images: Box[]
  /** Curves and slanted lines, as in charts and diagrams. */
  drawings: Box[]
  /** Rectangles that are drawn as a whole. */
  frames: Box[]
  paths: number
  is_cut: boolean
}

type Matrix = readonly [a: number, b: number, c: number, d: number, e: number, f: number]
const IDENTITY: Matrix = [1, 0, 0, 1, 0, 0]

interface Walk {
  pdfium: Pdfium
  frame: Frame
  shapes: Shapes
  objects_left: number
  segments_left: number
}

export function readShapes(pdfium: Pdfium, page: number, frame: Frame): Shapes {
  const shapes: Shapes = { rules: [], fills: [], images: [], drawings: [], frames: [], paths: 0, is_cut: false }
  const walk: Walk = { pdfium, frame, shapes, objects_left: MAX_OBJECTS, segments_left: MAX_SEGMENTS }
  const count = pdfium.FPDFPage_CountObjects(page)
  for (let index = 0; index < count && !shapes.is_cut; index++)
    visit(walk, pdfium.FPDFPage_GetObject(page, index), IDENTITY, 0)
  return shapes
}

function visit(walk: Walk, object: number, matrix: Matrix, depth: number): void {
  const { pdfium, shapes } = walk
  if (object === 0) return
  const type = pdfium.FPDFPageObj_GetType(object)
  if (type !== PATH && type !== IMAGE && type !== FORM) return
  if (walk.objects_left-- <= 0 || walk.segments_left <= 0) {
    shapes.is_cut = true
    return
  }
  if (type === PATH) return addPath(walk, object, matrix)
  if (type === IMAGE) {
    const box = boundsOf(walk, object, matrix)
    if (box) shapes.images.push(box)
    return
  }
  if (depth >= MAX_DEPTH) return
  const inner = times(matrixOf(pdfium, object), matrix)
  const count = pdfium.FPDFFormObj_CountObjects(object)
  for (let index = 0; index < count && !shapes.is_cut; index++)
    visit(walk, pdfium.FPDFFormObj_GetObject(object, index), inner, depth + 1)
}

function addPath(walk: Walk, path: number, matrix: Matrix): void {
  const { pdfium, shapes } = walk
  const { scratch } = pdfium
  shapes.paths++
  if (pdfium.FPDFPath_GetDrawMode(path, scratch, scratch + 4) === 0) return
  const is_filled = pdfium.i32(scratch) !== 0 && isVisible(pdfium, pdfium.FPDFPageObj_GetFillColor, path)
  const is_stroked = pdfium.i32(scratch + 4) !== 0 && isVisible(pdfium, pdfium.FPDFPageObj_GetStrokeColor, path)
  if (!is_filled && !is_stroked) return
  const segments = pdfium.FPDFPath_CountSegments(path)
  // Curves and letters drawn as shapes have many; tables have few, or are one path of very many lines.
  if (segments <= 0 || segments > MAX_SEGMENTS) return
  walk.segments_left -= segments
  const parts = partsOf(walk, path, times(matrixOf(pdfium, path), matrix))
  for (const part of parts) {
    const box = boxOf(part.points)
    if (isDrawing(part.points, box)) shapes.drawings.push(box)
    if (is_stroked && part.is_straight) addStrokes(shapes, part.points)
    if (is_stroked && isFrame(part.points, box)) shapes.frames.push(box)
    if (is_filled && part.is_straight) addFill(shapes, box, part.points)
  }
}

/** Most of it is neither horizontal nor vertical. Corners of a rounded frame are a small part of it. */
function isDrawing(points: readonly Point[], { x0, y0, x1, y1 }: Box): boolean {
  if (Math.max(x1 - x0, y1 - y0) < MIN_DRAWING || Math.min(x1 - x0, y1 - y0) < MIN_LENGTH) return false
  let [slanted, all] = [0, 0]
  for (const [index, { x, y }] of points.entries()) {
    const from = points[index - 1]
    if (!from) continue
    const [wide, high] = [Math.abs(x - from.x), Math.abs(y - from.y)]
    all += Math.hypot(wide, high)
    if (Math.min(wide, high) > Math.min(MIN_SLANT, Math.max(wide, high) * 0.05)) slanted += Math.hypot(wide, high)
  }
  return slanted > all * MIN_SLANTED
}

/** A closed line along the four sides of its box. */
function isFrame(points: readonly Point[], { x0, y0, x1, y1 }: Box): boolean {
  const [first, last] = [points[0], points.at(-1)]
  if (!first || !last || points.length < 5 || Math.hypot(first.x - last.x, first.y - last.y) > SLACK) return false
  const isOnSide = ({ x, y }: Point) => Math.min(x - x0, x1 - x, y - y0, y1 - y) < SLACK
  return Math.min(x1 - x0, y1 - y0) > MIN_LENGTH && points.every(isOnSide)
}

function addFill(shapes: Shapes, box: Box, points: readonly Point[]): void {
  if (addRule(shapes, box)) return
  const isCorner = ({ x, y }: Point) =>
    Math.min(x - box.x0, box.x1 - x) < SLACK && Math.min(y - box.y0, box.y1 - y) < SLACK
  if (points.length >= 4 && points.length <= 8 && points.every(isCorner)) shapes.fills.push(box)
}

function addStrokes(shapes: Shapes, points: readonly Point[]): void {
  for (let index = 1; index < points.length; index++) {
    const from = points[index - 1]
    const to = points[index]
    if (from && to) addRule(shapes, boxOf([from, to]))
  }
}

function addRule(shapes: Shapes, box: Box): boolean {
  const width = box.x1 - box.x0
  const height = box.y1 - box.y0
  const is_rule = (height <= MAX_THICKNESS && width >= MIN_LENGTH) || (width <= MAX_THICKNESS && height >= MIN_LENGTH)
  if (is_rule) shapes.rules.push(box)
  return is_rule || Math.max(width, height) < MIN_LENGTH
}

interface Point {
  x: number
  y: number
}

interface Part {
  points: Point[]
  is_straight: boolean
}

function partsOf({ pdfium, frame }: Walk, path: number, matrix: Matrix): Part[] {
  const { scratch } = pdfium
  const parts: Part[] = []
  let part: Part = { points: [], is_straight: true }
  const count = pdfium.FPDFPath_CountSegments(path)
  for (let index = 0; index < count; index++) {
    const segment = pdfium.FPDFPath_GetPathSegment(path, index)
    const type = pdfium.FPDFPathSegment_GetType(segment)
    if (type === MOVE_TO) {
      if (part.points.length > 1) parts.push(part)
      part = { points: [], is_straight: true }
    } else if (type !== LINE_TO) part.is_straight = false
    pdfium.FPDFPathSegment_GetPoint(segment, scratch, scratch + 4)
    part.points.push(through(matrix, pdfium.f32(scratch), pdfium.f32(scratch + 4), frame))
    if (pdfium.FPDFPathSegment_GetClose(segment) !== 0 && part.points[0]) part.points.push(part.points[0])
  }
  if (part.points.length > 1) parts.push(part)
  return parts
}

function through([a, b, c, d, e, f]: Matrix, x: number, y: number, frame: Frame): Point {
  const [px, py] = [a * x + c * y + e, b * x + d * y + f]
  return { x: seenX(frame, px, py), y: seenY(frame, px, py) }
}

function boxOf(points: readonly Point[]): Box {
  const box = {
    x0: Number.POSITIVE_INFINITY,
    y0: Number.POSITIVE_INFINITY,
    x1: Number.NEGATIVE_INFINITY,
    y1: Number.NEGATIVE_INFINITY,
  }
  for (const { x, y } of points) {
    box.x0 = Math.min(box.x0, x)
    box.y0 = Math.min(box.y0, y)
    box.x1 = Math.max(box.x1, x)
    box.y1 = Math.max(box.y1, y)
  }
  return box
}

function boundsOf({ pdfium, frame }: Walk, object: number, matrix: Matrix): Box | null {
  const { scratch } = pdfium
  if (pdfium.FPDFPageObj_GetBounds(object, scratch, scratch + 4, scratch + 8, scratch + 12) === 0) return null
  const [left = 0, bottom = 0, right = 0, top = 0] = [0, 4, 8, 12].map((at) => pdfium.f32(scratch + at))
  return boxOf([
    through(matrix, left, bottom, frame),
    through(matrix, right, bottom, frame),
    through(matrix, right, top, frame),
    through(matrix, left, top, frame),
  ])
}

function matrixOf(pdfium: Pdfium, object: number): Matrix {
  const { scratch } = pdfium
  if (pdfium.FPDFPageObj_GetMatrix(object, scratch) === 0) return IDENTITY
  const at = (index: number) => pdfium.f32(scratch + index * 4)
  return [at(0), at(1), at(2), at(3), at(4), at(5)]
}

/** First one, then the other. */
function times([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [a * A + b * C, a * B + b * D, c * A + d * C, c * B + d * D, e * A + f * C + E, e * B + f * D + F]
}

function isVisible(pdfium: Pdfium, colour: (...given: number[]) => number, object: number): boolean {
  const at = pdfium.scratch + 64
  return colour(object, at, at + 4, at + 8, at + 12) === 0 || pdfium.i32(at + 12) > 0
}
