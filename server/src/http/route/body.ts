// Step 14: bytes → JSON → a body that the schema allows.

import type { Endpoint } from '@octavo/contract'
import type { TObject } from 'typebox'
import { bodyDetail, Failure } from '../../lib/failure.ts'
import { Form, valueOfForm } from '../streaming/form.ts'
import { inspect, invalidJson, parseJson } from './json.ts'
import { bodyFailure, compileCheck } from './validation.ts'

export interface Body {
  value: Record<string, unknown>
  /** Creation-only members of the body; the service compares them with the stored values. */
  fixed: Record<string, unknown>
}

export type BodyReader = (given: Buffer | Form | undefined) => Body

export function compileBody(endpoint: Endpoint): BodyReader {
  if (!endpoint.body) return () => ({ value: {}, fixed: {} })
  const check = compileCheck(endpoint.body)
  const ignored = new Set(endpoint.ignored)
  const fixedNames = new Set(endpoint.fixed)
  const readForm = endpoint.form ? compileForm(endpoint.form) : null
  return (bytes) => {
    if (readForm && bytes instanceof Form) return readForm(bytes)
    if (bytes instanceof Form || !bytes || bytes.length === 0) {
      if (endpoint.is_body_optional) return { value: {}, fixed: {} }
      throw endpoint.is_form_only ? noForm() : invalidJson('A JSON body is required.')
    }
    const given = parseJson(bytes)
    const body: Body = { value: {}, fixed: {} }
    if (given !== null && typeof given === 'object' && !Array.isArray(given)) {
      for (const [key, value] of Object.entries(given)) {
        if (fixedNames.has(key)) body.fixed[key] = value
        else if (!ignored.has(key)) body.value[key] = value
      }
    } else {
      body.value = given as Record<string, unknown>
    }
    const errors = check(body.value, bytes.length)
    if (errors) throw bodyFailure(errors)
    return body
  }
}

const noForm = (): Failure =>
  new Failure('invalid_request', 'A form with a file is required. Send it as multipart/form-data.', {
    details: [bodyDetail('file', 'required', 'Is required.')],
  })

/** The fields of a form are the members of a body, and are checked as one. */
function compileForm(schema: TObject): (form: Form) => Body {
  const check = compileCheck(schema)
  return (form) => {
    const value = valueOfForm(form, schema)
    inspect(value, true)
    const errors = check(form.file ? { ...value, file: '' } : value)
    if (errors) throw bodyFailure(errors)
    return { value, fixed: {} }
  }
}
