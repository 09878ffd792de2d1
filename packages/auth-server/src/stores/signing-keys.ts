/** A key as it is stored. */
export interface StoredKey {
  readonly kid: string
  /** 1, 2, 3… */
  readonly generation: number
  readonly alg: string
  /** JSON of the public JWK. */
  readonly publicJwk: string
  /** The private JWK in a compact JWE. */
  readonly privateJwe: string
}

/** The keys that sign access tokens. */
export interface SigningKeys {
  /** All of them, oldest first. */
  list (): Promise<StoredKey[]>
  /** Adds a key; `false` if another process has taken its generation, and then nothing is changed. */
  add (key: StoredKey): Promise<boolean>
}
