// `multipart/form-data`: the file goes to storage while it comes in, the fields become the members of a JSON body.

import type { Readable } from 'node:stream'
import { Busboy, type BusboyInstance } from '@fastify/busboy'
import { recordOf, toError } from '@octavo/base/unknown.ts'
import type { FastifyRequest } from 'fastify'
import type { TObject } from 'typebox'
import type { Needs } from '../../app.ts'
import { discard, objectKey } from '../../files/keys.ts'
import { sha256 } from '../../lib/digest.ts'
import { bodyDetail, Failure } from '../../lib/failure.ts'
import { newUuid } from '../../lib/ids.ts'
import { mediaTypeOf } from '../../lib/media-type.ts'
import { measured } from '../../lib/streams.ts'
import { parseJson } from '../route/json.ts'
import { cutOff, letGo, patient, tooLarge } from './streamed.ts'

export interface ReceivedFile {
  /** uuid; the object's key is made of it and the tenant. */
  object_id: string
  file_name: string | null
  media_type: string
  size_bytes: number
  sha256: string
}

export class Form {
  readonly fields = new Map<string, string>()
  file: ReceivedFile | null = null

  /** Boundaries differ from try to try, so a request is known by its parts. */
  fingerprint(): Buffer {
    const parts = [...this.fields].map(([name, value]) => JSON.stringify([name, sha256(value)]))
    if (this.file) parts.push(JSON.stringify(['file', this.file.sha256, this.file.file_name, this.file.media_type]))
    return Buffer.from(parts.sort().join('\n'))
  }
}

const MAX_FIELDS = 50
const MAX_FIELD_BYTES = 256 * 1024

type ReceivedPart = Needs<'files' | 'config'>

/** Fails with nothing left behind. */
export async function receiveForm(app: ReceivedPart, request: FastifyRequest, raw: Readable): Promise<Form> {
  const form = new Form()
  const tenant = request.context.authenticated.tenant
  const body = patient(raw)
  const stored: Promise<unknown>[] = []
  let coming: Readable | null = null
  try {
    await new Promise<void>((resolve, reject) => {
      const parser = openParser(request)
      const fail = (error: unknown): void => {
        body.unpipe(parser)
        raw.resume()
        reject(toError(error))
      }
      parser.on('field', (name: string, value: string, isNameCut: boolean, isCut: boolean) => {
        if (isCut || isNameCut) return fail(cutOff(`A field may have at most ${MAX_FIELD_BYTES} bytes.`))
        if (form.fields.has(name)) return fail(repeated(name))
        form.fields.set(name, value)
      })
      parser.on(
        'file',
        (name: string, bytes: Readable, file_name: string | undefined, _encoding: string, media_type: string) => {
          bytes.on('error', fail)
          if (name !== 'file')
            return fail(unknownPart(name, "Unknown part. The part with the file must be named 'file'."))
          if (stored.length > 0) return fail(repeated('file'))
          coming = bytes
          const storing = storeFile(app, tenant, bytes, {
            file_name: cleanFileName(file_name),
            media_type: mediaTypeOf(media_type),
          })
          stored.push(storing.then((file) => (form.file = file)))
          storing.catch(fail)
        },
      )
      for (const limit of ['partsLimit', 'filesLimit', 'fieldsLimit'])
        parser.on(limit, () => fail(cutOff('The form has too many parts.')))
      parser.on('error', (error: unknown) =>
        fail(error instanceof Failure ? error : cutOff('The body is not a complete multipart/form-data.')),
      )
      parser.on('finish', () => void Promise.all(stored).then(() => resolve(), fail))
      body.on('error', fail)
      body.on('close', () => body.readableEnded || fail(cutOff('The body ended before it was complete.')))
      body.pipe(parser)
    })
    return form
  } catch (error) {
    // The rest of the file will never arrive; without this, storage would wait forever.
    ;(coming as Readable | null)?.destroy(toError(error))
    letGo(body, raw)
    await Promise.allSettled(stored)
    if (form.file) await discard(app.files, tenant, form.file.object_id)
    throw error
  }
}

function openParser(request: FastifyRequest): BusboyInstance {
  const headers = { ...request.headers, 'content-type': request.headers['content-type'] ?? '' }
  try {
    return new Busboy({
      headers,
      // A second file is refused by its name.
      limits: { files: 2, fields: MAX_FIELDS, parts: MAX_FIELDS + 2, fieldSize: MAX_FIELD_BYTES, fieldNameSize: 100 },
    })
  } catch {
    throw cutOff('The Content-Type has no boundary parameter.')
  }
}

/** Browsers write these three signs so that the header stays one line. */
const cleanFileName = (file_name: string | undefined): string | null =>
  file_name?.replaceAll('%22', '"').replace(/%0[da]/gi, ' ') ?? null

async function storeFile(
  app: ReceivedPart,
  tenant: string,
  bytes: Readable,
  told: Pick<ReceivedFile, 'file_name' | 'media_type'>,
): Promise<ReceivedFile> {
  const object_id = newUuid()
  const file = measured(bytes, { bytes: app.config.max_file_bytes, refuse: () => tooLarge(app.config.max_file_bytes) })
  await app.files.put(objectKey(tenant, object_id), file.bytes, { media_type: told.media_type })
  return { object_id, ...told, ...file.read() }
}

const repeated = (name: string): Failure =>
  new Failure('invalid_request', 'The form has a part twice. Send each part once.', {
    details: [bodyDetail(name.slice(0, 100), 'repeated', 'May occur only once.')],
    headers: { connection: 'close' },
  })
const unknownPart = (name: string, message: string): Failure =>
  new Failure('invalid_request', 'The form has an unknown part. Remove it.', {
    details: [bodyDetail(name.slice(0, 100), 'unknown_field', message)],
    headers: { connection: 'close' },
  })

/** Fields of text are what they are; the others are JSON. */
export function valueOfForm(form: Form, schema: TObject): Record<string, unknown> {
  const value: Record<string, unknown> = {}
  for (const [name, text] of form.fields) {
    // It would become no member of the value, so the schema could not miss it.
    if (name === '__proto__') throw unknownPart(name, 'Unknown field.')
    const member = recordOf(schema.properties[name])
    if (member.contentMediaType !== undefined) throw notAFile(name)
    const types = [member.type ?? 'string'].flat()
    value[name] = types.includes('string') ? text : valueOfField(name, text)
  }
  return value
}

const notAFile = (name: string): Failure =>
  new Failure('invalid_request', 'The form has a field instead of a file. Send the file as a part with a file name.', {
    details: [bodyDetail(name, 'invalid_type', 'Must be a part with a file name.')],
  })

function valueOfField(name: string, text: string): unknown {
  try {
    return parseJson(Buffer.from(text))
  } catch (error) {
    const message = error instanceof Failure ? error.message : ''
    throw new Failure('invalid_request', 'A field of the form is not JSON.', {
      details: [bodyDetail(name, 'invalid_type', `Must be JSON. ${message}`)],
    })
  }
}

/** Before a byte is read: what is announced to be too large is not received. */
export function checkFormLength(length: string | undefined, max_file_bytes: number): void {
  if (Number(length ?? 0) > max_file_bytes + MAX_FIELDS * MAX_FIELD_BYTES) throw tooLarge(max_file_bytes)
}
