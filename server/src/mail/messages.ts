// The plain-text email that Octavo sends.

export interface MailMessage {
  to: string
  subject: string
  text: string
}

interface MailedLink {
  to: string
  url: string
  tenant_name: string
  expires_at: Date
}

/** Minutes are enough: `2026-11-23 09:30 UTC`. */
const shownTime = (time: Date): string => `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`

export function invitationMail({ to, url, tenant_name, expires_at, role }: MailedLink & { role: string }): MailMessage {
  return {
    to,
    subject: `Invitation to ${tenant_name} on Octavo`,
    text: `You are invited to join ${tenant_name} on Octavo with the role ${role}.

To accept, open this link and choose a password or a passkey:
${url}

The link works once, until ${shownTime(expires_at)}.
If you did not expect this invitation, ignore this message.
`,
  }
}

export function resetMail({ to, url, tenant_name, expires_at }: MailedLink): MailMessage {
  return {
    to,
    subject: `New password for ${tenant_name} on Octavo`,
    text: `Someone requested a new password for ${to} at ${tenant_name} on Octavo.

To choose a new password, open this link:
${url}

The link works once, until ${shownTime(expires_at)}. The new password ends all your sessions,
and you must connect your applications and the command line again.
If you did not request it, ignore this message; your password does not change.
`,
  }
}
