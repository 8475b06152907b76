// Splits text without page breaks into pages of a manageable length.

import type { FlowPage } from '../office/flow.ts'
import { paginate } from './pages.ts'

export const splitLong = ({ blocks, size }: FlowPage): FlowPage[] =>
  blocks.length === 0 ? [{ blocks, size }] : paginate(blocks).map((part) => ({ blocks: part, size }))
