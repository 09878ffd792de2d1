/** Who makes a change, and with which request. */
export interface Actor {
  /** `sub` of the access token; `null` if none is needed. */
  readonly sub: string | null
  /** `client_id` of the access token; `null` if none is needed. */
  readonly clientId: string | null
  readonly requestId: string | null
}

/** For changes that no request asked for. */
export const NO_ACTOR: Actor = Object.freeze({ sub: null, clientId: null, requestId: null })
