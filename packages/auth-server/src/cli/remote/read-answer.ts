import type { Problem } from '@frontdesk/schemas/problem'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { parseJson } from '@frontdesk/service-kit/json'
import { printableSentences } from '@frontdesk/service-kit/printable'
import { Refusal } from '../../admin/refusal.js'

/** A response of the administration API, with its times as dates, and its version. */
export interface Answer { readonly value: unknown, readonly etag: string }

const REFUSALS: Readonly<Record<number, Refusal['code']>> = {
  400: 'invalid', 403: 'forbidden', 404: 'unknown', 409: 'conflict', 412: 'changed'
}

/** Members that are times. */
const TIME_NAME = /^(?:at|authTime|since|until|\w+(?:At|From|Until|Seen|Used|Use))$/
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

/** Reads a response. @throws Refusal, CommandError */
export async function readAnswer (response: Response): Promise<Answer> {
  const text = await response.text()
  if (response.ok) return { value: text === '' ? undefined : JSON.parse(text, revive), etag: response.headers.get('etag') ?? '' }
  // as: the API returns problem details; another server may not.
  const { title, detail = title, errors = [] } = (parseJson(text) ?? {}) as Partial<Problem>
  const code = REFUSALS[response.status]
  if (code !== undefined && errors.length > 0) {
    throw new Refusal(code, errors.map(({ field, detail }) => ({ field, sentence: printableSentences(detail) })))
  }
  throw new CommandError(detail === undefined ? `The server answered with status ${response.status}.` : printableSentences(detail))
}

function revive (name: string, value: unknown): unknown {
  return typeof value === 'string' && TIME_NAME.test(name) && TIME.test(value) ? new Date(value) : value
}
