// Written by `npm run contracts` from test/contract/recorded/openapi/customer-service.json.

/** One of several customers that share a name. */
export interface Candidate {
  /** Identifies the customer if several have the name. */
  customerid: number
  /** Address of this customer. */
  href: string
}

/** An invalid field. */
export interface FieldError {
  /** Name of the field. */
  field: string
  /** One of missing, integer, length, characters, letter, words, taken, duplicate, blank, unusual, unknown, ambiguous, merged. */
  rule?: string | undefined
  /** With the rules integer and unusual. */
  minimum?: number | undefined
  /** With the rules integer, length, words and unusual. */
  maximum?: number | undefined
  /** What is wrong with the value. */
  detail: string
}

/** An error response (RFC 9457). */
export interface Problem {
  /** Address of a page that explains this kind of problem, or `about:blank`. */
  type: string
  /** The kind of problem, in a few words. */
  title: string
  /** The HTTP status code. */
  status: number
  /** What was wrong with this request, and what to do. */
  detail?: string | undefined
  /** Path of the request. */
  instance?: string | undefined
  /** Names this request in the log. */
  requestId?: string | undefined
  /** Every invalid field. */
  errors?: Array<FieldError> | undefined
  /** Number of customers with the name. */
  total?: number | undefined
  /** The first ten, if the token has `customer:read`. */
  candidates?: Array<Candidate> | undefined
}

/** The kinds of problems. */
export type ProblemKind =
  | 'body-too-large' | 'condition-missing' | 'customer-exists' | 'customer-merged' | 'customer-present'
  | 'customer-unknown' | 'database-unavailable' | 'feed-off' | 'file-too-long' | 'file-unreadable'
  | 'form-invalid' | 'form-malformed' | 'idempotency-key-in-use' | 'idempotency-key-malformed' | 'idempotency-key-reused'
  | 'internal-error' | 'json-invalid' | 'json-malformed' | 'keys-unavailable' | 'media-type-unsupported'
  | 'name-ambiguous' | 'name-differs' | 'not-acceptable' | 'operation-undone' | 'operation-unknown'
  | 'path-unknown' | 'position-gone' | 'proof-invalid' | 'proof-nonce-missing' | 'query-invalid'
  | 'rate-limit-exceeded' | 'request-malformed' | 'request-timeout' | 'revocations-unavailable' | 'scope-missing'
  | 'service-overloaded' | 'sign-in-insufficient' | 'token-bound' | 'token-invalid' | 'token-missing'
  | 'user-missing' | 'version-differs'
