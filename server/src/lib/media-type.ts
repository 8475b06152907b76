const MEDIA_TYPE = /^[\w!#$&^.+-]{1,100}\/[\w!#$&^.+-]{1,100}$/

/** Returns the media type of a header or form field without its parameters, or the default if it is malformed. */
export function mediaTypeOf(header: string | undefined): string {
  const [type = ''] = (header ?? '').split(';')
  return MEDIA_TYPE.test(type.trim()) ? type.trim().toLowerCase() : 'application/octet-stream'
}
