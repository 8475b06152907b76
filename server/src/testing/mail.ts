interface MailPart {
  name: string
  type?: string
  content: string
}

/** The source of an email with attachments. */
export function mail(subject: string, parts: readonly MailPart[]): string {
  const head = ['From: a@example.com', `Subject: ${subject}`, 'MIME-Version: 1.0']
  const body = parts.flatMap(({ name, type = 'text/plain', content }) => [
    `--${subject}`,
    `Content-Type: ${type}; name="${name}"`,
    `Content-Disposition: attachment; filename="${name}"`,
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(content).toString('base64'),
  ])
  const text = [`--${subject}`, 'Content-Type: text/plain', '', `Text of ${subject}.`]
  return [
    ...head,
    `Content-Type: multipart/mixed; boundary=${subject}`,
    '',
    ...text,
    ...body,
    `--${subject}--`,
    '',
  ].join('\r\n')
}
