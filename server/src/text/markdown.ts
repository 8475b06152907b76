import { markdownOf } from '@octavo/base/blocks.ts'
import type { Block } from '@octavo/contract'
import { inThread } from './thread.ts'

/** For shorter texts, the round trip to the thread takes longer than the work. */
const MAX_INLINE_CHARACTERS = 16_384
const markdownInThread = inThread<typeof markdownOf>(
  new URL('../../../base/src/blocks.ts', import.meta.url),
  'markdownOf',
)

/** `text`: of the same page. */
export const renderMarkdown = async ({ text, blocks }: { text: string; blocks: Block[] }): Promise<string> =>
  text.length <= MAX_INLINE_CHARACTERS ? markdownOf(blocks) : markdownInThread(blocks)
