/** Who makes a change, `sub` and `client_id` of the access token, `null` without one; and as part of what. */
export interface Actor {
  readonly sub: string | null
  readonly clientId: string | null
  readonly requestId: string | null
  /** The operation that the change is part of; `null`: it is a single change. */
  readonly operationId: string | null
}

/** For changes without a request. */
export const NO_ACTOR: Actor = Object.freeze({ sub: null, clientId: null, requestId: null, operationId: null })
