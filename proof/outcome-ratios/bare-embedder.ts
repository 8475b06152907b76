// A process that only runs the model: answers a message with texts by their number.

import { embedTexts } from './bare-model.ts'

process.on('message', (texts: string[]) => void embedTexts(texts).then(({ length }) => process.send?.(length)))
process.on('disconnect', () => process.exit())
process.send?.('ready')
