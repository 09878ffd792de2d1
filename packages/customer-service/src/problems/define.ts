import type { Problem } from '@frontdesk/schemas/problem'

/** One kind of problem, as its page explains it. */
export interface Kind {
  /** Last part of its address, `/problems/{name}`. */
  readonly name: string
  readonly status: number
  readonly title: string
  /** Why it happens. */
  readonly cause: string
  /** What to do. */
  readonly fix: string
  /** A request that meets it. */
  readonly example: string
  /** `error` of the challenge that goes with it (RFC 6750 §3.1); empty for a challenge without one. */
  readonly challenge?: '' | 'invalid_request' | 'invalid_token' | 'insufficient_scope'
  /** Header fields that go with every answer of this kind. */
  readonly headers?: Readonly<Record<string, string>>
}

/** What one case adds to its kind. */
export interface Particulars extends ErrorOptions {
  /** For the log alone. */
  reason?: string
  headers?: Record<string, string>
  /** Members of the problem beside `type`, `title`, `status`, `detail`, `instance` and `requestId`. */
  members?: Pick<Problem, 'errors'> & Record<string, unknown>
}

/** A refusal on its way to the caller: the message is the `detail` they read. */
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
