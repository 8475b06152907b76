// Inputs that several tools share.

import { z } from 'zod'

export const documentId = z.string().describe('Document id, such as doc_01h455vb4pex5vsknk084sn02q')
export const documentIds = z.array(documentId).min(1).max(250).optional().describe('Only in these documents')
export const projectId = z.string().optional().describe('Only in documents of this project')
export const model = z.string().optional().describe('Model id; default: the default model of the server')
export const language = z.string().optional().describe('Output language of a generative model, as a BCP 47 tag')
