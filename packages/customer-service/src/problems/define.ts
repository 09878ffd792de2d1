import type { Problem } from '@frontdesk/schemas/problem'

/** A kind of problem, as its page explains it. */
export interface Kind {
  /** Last segment of its URL, `/problems/{name}`. */
  readonly name: string
  readonly status: number
  readonly title: string
  /** Why it happens. */
  readonly cause: string
  /** What to do. */
  readonly fix: string
  /** A request that causes it. */
  readonly example: string
  /** `error` of the challenge that goes with it (RFC 6750 §3.1, RFC 9449 §7.1, RFC 9470 §3); empty for a challenge without one. */
  readonly challenge?:
    | '' | 'invalid_request' | 'invalid_token' | 'insufficient_scope' | 'insufficient_user_authentication' | 'invalid_dpop_proof'
    | 'use_dpop_nonce'
  /** Header fields of every response of this kind. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What an error adds to its kind. */
interface Particulars extends ErrorOptions {
  /** For the log only. */
  reason?: string
  headers?: Record<string, string>
  /** Members of the problem other than `type`, `title`, `status`, `detail`, `instance` and `requestId`. */
  members?: Pick<Problem, 'errors'> & Record<string, unknown>
}

/** An error whose message is the public `detail`. */
export class ProblemError extends Error {
  readonly kind: Kind
  readonly reason: string | undefined
  readonly headers: Record<string, string>
  readonly members: Record<string, unknown>

  constructor (kind: Kind, detail: string, { reason, headers, members, ...options }: Particulars = {}) {
    super(detail, options)
    this.kind = kind
    this.reason = reason
    this.headers = { ...kind.headers, ...headers }
    this.members = members ?? {}
  }
}

/** Makes errors of one kind. */
export type Maker = ((detail: string, particulars?: Particulars) => ProblemError) & { readonly kind: Kind }

/** Defines a kind of problem. */
export function define (name: string, status: number, title: string, page: Omit<Kind, 'name' | 'status' | 'title'>): Maker {
  const kind = Object.freeze({ name, status, title, ...page })
  return Object.assign((detail: string, particulars?: Particulars) => new ProblemError(kind, detail, particulars), { kind })
}
