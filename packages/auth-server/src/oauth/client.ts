/** A registered application (RFC 6749 §2). */
export interface Client {
  readonly id: string
  readonly name: string
  /** Registered callbacks, byte for byte. */
  readonly callbacks: readonly string[]
  /** Resources whose tokens it may ask for by name (RFC 8707), beside the server's default. */
  readonly resources: readonly string[]
  /** Space-separated scopes of a request that names none. */
  readonly defaultScope: string
  /** Lifetime of its access tokens in seconds; `null`: the server's default. */
  readonly accessTokenTtl: number | null
  /** Whether it may use the implicit grant. */
  readonly implicit: 'allowed' | 'off'
  readonly demo: boolean
  /** When it was disabled; `null` if it is not. */
  readonly disabledAt: Date | null
  readonly createdAt: Date
}
