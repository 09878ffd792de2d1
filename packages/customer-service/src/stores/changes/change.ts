/** Who makes a change: `sub` and `client_id` of the access token, `null` without one. */
export interface Actor {
  readonly sub: string | null
  readonly clientId: string | null
  readonly requestId: string | null
}

/** For changes without a request. */
export const NO_ACTOR: Actor = Object.freeze({ sub: null, clientId: null, requestId: null })
