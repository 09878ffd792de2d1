import { Problem } from '@frontdesk/schemas/problem'
import { explain } from '@frontdesk/service-kit/doctor/explain'
import { FetchError, type FailureCode } from '@frontdesk/service-kit/outgoing/failure'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import type { IncomingMessage } from 'node:http'
import { ImportReport } from '../../customer/import/report.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { printableSentences } from '@frontdesk/service-kit/printable'
import { notSignedIn } from '@frontdesk/service-kit/sign-in/current-token'
import { program } from '../program.js'
import { readJson } from './read-json.js'
import { TransientError } from './transient-error.js'
import { describe } from './report.js'
import { howToStepUp } from './step-up.js'

/** Statuses after which a retry may succeed: the upload was too slow, or the service is unavailable. */
const TRANSIENT = [408, 502, 503, 504]

/** A problem; one that stops an import has a report. */
const Refusal = Type.Composite([
  Type.Pick(Problem, ['title', 'detail']),
  Type.Partial(Type.Pick(Problem, ['type', 'errors'])),
  Type.Object({ report: Type.Optional(ImportReport) })
])

/** Makes the error of a response that is not 200, 201 or 204. @param hasToken whether the request had an access token */
export async function responseError (response: IncomingMessage, url: URL, hasToken: boolean): Promise<CommandError> {
  const { statusCode: status = 0, headers } = response
  const body = await readJson(response)
  if (status === 401 && !hasToken) return new CommandError(notSignedIn(program))
  const problem = Value.Check(Refusal, body) ? body : undefined
  // Any other 404 is about the path.
  const refusal = status === 404 && !/\/(customer|operation)-unknown$/.test(problem?.type ?? '') ? undefined : problem
  const message = refusal !== undefined ? formatRefusal(refusal) : describeStatus(status, url, headers.location)
  const stepUp = status === 401 ? await howToStepUp(headers['www-authenticate']) : undefined
  if (stepUp !== undefined) return new CommandError(`${message} ${stepUp}`)
  // The access token expired during an import, which continues with a new one.
  if (status === 401 && refusal?.report !== undefined) return new TransientError(message, { done: refusal.report.lines })
  const seconds = Number(headers['retry-after'] ?? NaN)
  if (TRANSIENT.includes(status) || seconds >= 0) return new TransientError(message, { retryAfterMs: 1_000 * (seconds || 0) })
  return new CommandError(message)
}

function describeStatus (status: number, url: URL, location = 'another address'): string {
  if (status === 413) {
    return `A server between here and ${url.host} rejects uploads of this size (status 413). ` +
      'Raise its limit, such as client_max_body_size of nginx, or send the file in parts.'
  }
  return status < 400 ? otherServer(url, 'redirect', location).message : otherServer(url, 'status', status).message
}

/** Makes the error of a response that is not from customer-service. */
export function otherServer (url: URL, code: FailureCode, detail: number | string): CommandError {
  const error = new FetchError(code, 'another server', { detail: `${detail}` })
  return new CommandError(explain({ what: 'customer-service', url: url.href, setting: '--url' }, error).join(' '))
}

function formatRefusal ({ title, detail, errors = [], report }: Static<typeof Refusal>): string {
  const faults = errors.map(error => `${error.field}: ${error.detail}`)
  const sentences = [detail ?? `${title}.`, ...faults].map(printableSentences).join('\n')
  // The report of a file that was refused as a whole is empty.
  return report === undefined || report.lines === 0 ? sentences : `${sentences}\n${describe(report)}`
}
