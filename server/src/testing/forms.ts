// `multipart/form-data` as a shell sends it, byte for byte.

export interface FormPart {
  name: string
  /** Set for a file; undefined for a field. */
  file_name?: string
  type?: string
  value: string | Buffer
}

export const BOUNDARY = '------------------------d74496d66958873e'
export const formHeaders = (boundary = BOUNDARY): Record<string, string> => ({
  'content-type': `multipart/form-data; boundary=${boundary}`,
})

export function multipartBody(parts: readonly FormPart[], boundary = BOUNDARY): Buffer {
  const pieces: Buffer[] = parts.map(({ name, file_name, type, value }) => {
    const file = file_name === undefined ? '' : `; filename="${file_name}"`
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`
    return Buffer.concat([Buffer.from(head), Buffer.from(value), Buffer.from('\r\n')])
  })
  return Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)])
}

export const field = (name: string, value: string): FormPart => ({ name, value })
export const filePart = (value: string | Buffer, file_name = 'lease.txt', type = 'text/plain'): FormPart => ({
  name: 'file',
  file_name,
  type,
  value,
})
