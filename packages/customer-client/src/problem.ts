import { assertType, jsonWith } from './body.js'
import type { ImportReport } from './import-messages.js'
import type { Candidate, FieldError, Problem, ProblemKind } from './problem-messages.js'

/** Why a file cannot be read further: a name, such as `not-utf8`, and the values of its sentence, such as `line`. */
type FileFault = { readonly reason: string } & Readonly<Record<string, string | number>>

/** An error response of the service: problem details (RFC 9457). */
export class CustomerProblem extends Error {
  override readonly name = 'CustomerProblem'
  // declare: keeps the documentation out of the bundle, which must stay small.
  /** The HTTP status code. */
  declare readonly status: number
  /** Address of a page that explains this kind of problem; `about:blank` if the response is not from the service. */
  declare readonly type: string
  /** Last segment of `type`, to branch on, such as `customer-exists`. */
  declare readonly kind: ProblemKind | (string & {})
  declare readonly title: string
  /** What was wrong with this request, and what to do. */
  declare readonly detail: string | undefined
  /** Every invalid field; empty if the problem is another one. */
  declare readonly errors: readonly FieldError[]
  /** With `name-ambiguous`: the first ten customers with the name. */
  declare readonly candidates: readonly Candidate[]
  /** With `name-ambiguous`: how many customers have the name. */
  declare readonly total: number | undefined
  /** With `file-unreadable`: why the file cannot be read further. */
  declare readonly fault: FileFault | undefined
  /** With a refused import: what was registered before. */
  declare readonly report: ImportReport | undefined
  /** Names this request in the service's log. */
  declare readonly requestId: string | undefined
  /** Seconds to wait before the next attempt, if the response says so. */
  declare readonly retryAfter: number | undefined
  /**
   * With `sign-in-insufficient`: parameters of a new authorization request, after which the same request can succeed with the new
   * token (RFC 9470 §4).
   */
  declare readonly stepUp: { readonly acr_values?: string, readonly max_age?: string } | undefined
  /**
   * How often the request was sent. After more than one attempt, an earlier one whose response was lost may have been applied:
   * then a change with `ifMatch` ends with 412, a removal with 404.
   */
  declare readonly attempts: number

  constructor (
    problem: Partial<Problem & { fault: FileFault, report: ImportReport }>,
    { status, headers }: Pick<Response, 'status' | 'headers'>,
    attempts = 1
  ) {
    const { type = 'about:blank', title = `The answer has status ${status}` } = problem
    const { detail, errors, candidates, total, fault, report, requestId } = problem
    super(detail === undefined ? title : `${title}. ${detail}`)
    this.status = status
    this.type = type
    this.kind = type.slice(type.lastIndexOf('/') + 1)
    this.title = title
    this.detail = detail
    this.errors = toArray(errors)
    this.candidates = toArray(candidates)
    this.total = total
    this.fault = fault ?? undefined
    this.report = report ?? undefined
    this.requestId = requestId ?? headers.get('x-request-id') ?? undefined
    this.retryAfter = readRetryAfter(headers.get('retry-after'))
    this.stepUp = readStepUp(headers.get('www-authenticate') ?? '')
    this.attempts = attempts
  }
}

/**
 * No usable response: the service cannot be reached, did not respond in time, the connection broke, or another server answered.
 * `cause` is the reason.
 */
export class CustomerNetworkError extends Error {
  override readonly name = 'CustomerNetworkError'
  /** How often the request was sent; one of them may have been applied. */
  readonly attempts: number

  constructor (message: string, attempts: number, cause: unknown) {
    super(message, { cause })
    this.attempts = attempts
  }
}

/** Reads the problem in a response; only its status if the body is not from the service, or was interrupted. */
export async function readProblem (response: Response, attempts: number, signal: AbortSignal): Promise<CustomerProblem> {
  try {
    assertType(response, 'application/problem+json')
    return new CustomerProblem(await jsonWith<Problem>('title')(response, signal), response, attempts)
  } catch {
    const tooLarge = { title: 'A server in front of the service refuses requests this large' }
    return new CustomerProblem(response.status === 413 ? tooLarge : {}, response, attempts)
  }
}

/** Problems of proxies can have members with the same names. */
function toArray<T> (value: readonly T[] | undefined): readonly T[] {
  return Array.isArray(value) ? value : []
}

/** Reads a challenge (RFC 9470 §3). */
function readStepUp (challenge: string) {
  if (!challenge.includes('error="insufficient_user_authentication"')) return undefined
  return Object.fromEntries(Array.from(challenge.matchAll(/(acr_values|max_age)="([^"]*)"/g), ([, name, value]) => [name, value]))
}

/** Seconds or a date (RFC 9110 §10.2.3). */
function readRetryAfter (value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/.test(value) ? Number(value) : Math.ceil((Date.parse(value) - Date.now()) / 1000)
  return Number.isNaN(seconds) ? undefined : Math.max(0, seconds)
}
