const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/

/** What a header or a form says of bytes, as far as it can be one; without its parameters. */
export function mediaTypeOf(header: string | undefined): string {
  const [type = ''] = (header ?? '').split(';')
  return MEDIA_TYPE.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream'
}
