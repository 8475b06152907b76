// Uploads a file and counts the bytes sent.

import { randomUUID } from 'node:crypto'
import { openAsBlob, statSync } from 'node:fs'
import { basename } from 'node:path'
import { addAbortSignal } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { exits, Refusal } from '../exits.ts'
import { isInContainer, SELF } from '../self.ts'

const SEEN = 'the container can see only your home directory and the current directory.'

/** A missing file fails alone; the others are still uploaded. */
export async function openFile(
  path: string,
  name: string | undefined,
  signal: AbortSignal,
): Promise<{ file: Blob; file_name: string }> {
  if (path === '-') {
    const piped = await buffer(addAbortSignal(signal, process.stdin))
    return { file: new Blob([new Uint8Array(piped)]), file_name: name ?? 'stdin' }
  }
  const file_name = name ?? basename(path)
  try {
    const found = statSync(path)
    if (found.isDirectory())
      throw new Refusal('This is a directory.', exits.failed, `List its files: ${path.replace(/\/+$/, '')}/*`)
    if (!found.isFile())
      throw new Refusal(
        'This is not a regular file.',
        exits.failed,
        `Pipe its contents: ${SELF} documents add - --name <name> < ${path}`,
      )
    return { file: await openAsBlob(path), file_name }
  } catch (error) {
    if (error instanceof Refusal) throw error
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'ENOENT')
      throw new Refusal('No such file.', exits.failed, isInContainer() ? `Check its name; ${SEEN}` : 'Check its name.')
    if (code === 'EACCES')
      throw new Refusal('You do not have permission to read this file.', exits.failed, 'Change its permissions.')
    throw new Refusal(`The file cannot be opened: ${message}`, exits.failed)
  }
}

const quoted = (text: string): string => text.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22')

/**
 * Encodes a form like fetch, which reads its files into memory as a whole and crashes if it is aborted while doing so.
 */
function encodeForm(form: FormData): Blob {
  const boundary = `octavo-${randomUUID()}`
  const parts = [...form].flatMap(([name, value]) => {
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"`
    if (typeof value === 'string') return [`${head}\r\n\r\n${value.replace(/\r?\n|\r/g, '\r\n')}\r\n`]
    const type = value.type || 'application/octet-stream'
    return [`${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${type}\r\n\r\n`, value, '\r\n']
  })
  return new Blob([...parts, `--${boundary}--\r\n`], { type: `multipart/form-data; boundary=${boundary}` })
}

/**
 * Reports how many bytes of a form have been sent; a failed attempt resets the count to 0. Forms only: S3 stores do not
 * accept a stream of unknown length, and the parts sent to them are small.
 */
export function countingFetch(onSent: (sent_bytes: number) => void): typeof fetch {
  return async (input, init) => {
    if (!(init?.body instanceof FormData) || typeof input !== 'string') return fetch(input, init)
    const form = encodeForm(init.body)
    let [sent_bytes, isInVain] = [0, false]
    const counter = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        sent_bytes += chunk.length
        // The server may reject the request before all bytes are sent.
        if (!isInVain) onSent(sent_bytes)
        controller.enqueue(chunk)
      },
    })
    const all = new Headers(init.headers)
    all.set('content-type', form.type)
    onSent(0)
    try {
      const response = await fetch(input, {
        ...init,
        headers: all,
        body: form.stream().pipeThrough(counter),
        duplex: 'half',
      })
      isInVain = !response.ok
      return response
    } catch (error) {
      isInVain = true
      throw error
    } finally {
      if (isInVain) onSent(0)
    }
  }
}
