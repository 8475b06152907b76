// Inputs that several tools share.

import { z } from 'zod'

/** Longer values are refused before they become part of a URL: encoding a megabyte would block the server. */
export const MAX_ID = 64
const MAX_NAME = 100

export const id = z.string().max(MAX_ID)
export const cursor = z.string().max(512)
export const documentId = id.describe('Document id, such as doc_01h455vb4pex5vsknk084sn02q')
export const documentIds = z.array(documentId).min(1).max(250).optional().describe('Only in these documents')
export const projectId = id.optional().describe('Only documents in this project')
export const model = z.string().max(MAX_NAME).optional().describe("Model id; default: the server's default model")
export const language = z
  .string()
  .max(MAX_NAME)
  .optional()
  .describe('Output language of a generative model, as a BCP 47 tag')
