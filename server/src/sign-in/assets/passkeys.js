// Passkeys: shows the buttons that need WebAuthn and submits their form with the browser's answer. Every page works
// without this script, with a password.

const PROBLEMS = {
  NotAllowedError: 'No passkey was used. Try again, or use your password.',
  InvalidStateError: 'This device has a passkey for your account already.',
}

async function readCredential(kind, options) {
  if (kind === 'create')
    return navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
  return navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
}

async function submitWithPasskey(button) {
  const { form } = button
  const fields = [...form.querySelectorAll('[data-passkey-needs]')]
  if (!fields.every((field) => field.reportValidity())) return
  const status = form.querySelector('[data-passkey-status]')
  status.textContent = ''
  try {
    const credential = await readCredential(button.dataset.passkey, JSON.parse(button.dataset.options))
    form.elements.credential.value = JSON.stringify(credential.toJSON())
    form.action = button.formAction
    form.submit()
  } catch (error) {
    status.textContent = PROBLEMS[error.name] ?? 'The passkey did not work. Try again, or use your password.'
  }
}

if (globalThis.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const button of document.querySelectorAll('button[data-passkey]')) {
    button.hidden = false
    button.addEventListener('click', () => submitWithPasskey(button))
  }
}
