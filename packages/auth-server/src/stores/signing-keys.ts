/** A key as it is stored. */
export interface StoredKey {
  readonly kid: string
  /** 1, 2, 3… */
  readonly generation: number
  readonly alg: string
  /** JSON of the public JWK. */
  readonly publicJwk: string
  /** The private JWK in a compact JWE; empty once the key is retired. */
  readonly privateJwe: string
  readonly createdAt: Date
  /** From when on it signs, until a younger one does. */
  readonly signsFrom: Date
  /** When it was withdrawn; `null` if it is not. */
  readonly retiredAt: Date | null
}

/** The keys that sign access tokens. */
export interface SigningKeys {
  /** All of them, oldest first. */
  list (): Promise<StoredKey[]>
  /** Adds a key; `false` if another process has taken its generation, and then nothing is changed. */
  add (key: Omit<StoredKey, 'retiredAt'>): Promise<boolean>
  /** Puts one encryption of a private key in the place of another; `false` if another process was first. */
  reseal (kid: string, from: string, to: string): Promise<boolean>
  /**
   * Withdraws a key and forgets its private part; `false`, with nothing changed, if it is withdrawn already, there is
   * none, or the time of no other has come. Of callers at once who would leave no key, one gets `false`.
   */
  retire (kid: string, now: Date): Promise<boolean>
  /** The time by the clock of the database, to the second: by it all replicas agree what a key's time is. */
  now (): Promise<Date>
}
