/** A resource owner. */
export interface User {
  /** The `sub` of access tokens. */
  readonly id: string
  /** As registered. */
  readonly username: string
  /** argon2id, PHC string. */
  readonly passwordHash: string
  readonly demo: boolean
  /** When the account was disabled; `null` if it is not. */
  readonly disabledAt: Date | null
  readonly createdAt: Date
}

/** What a person is registered with. */
export type NewUser = Omit<User, 'disabledAt' | 'createdAt'>

/** The people who can sign in. User names are compared after NFKC and in lower case. */
export interface Users {
  /** The person of that user name, disabled or not; `null` if there is none. */
  find (username: string): Promise<User | null>
  /** Whether there is a person of that id, and not disabled. */
  isEnabled (id: string): Promise<boolean>
  /** The user names of those who are there, by their ids. */
  names (ids: readonly string[]): Promise<Map<string, string>>
  /** All of them, by user name. */
  list (): Promise<User[]>
  /** Adds a person; `false` if the user name is taken, and then nothing is changed. */
  add (user: NewUser): Promise<boolean>
  /**
   * Sets the password and ends every session and every grant: codes and tokens that apps have count no more. What was
   * allowed stays remembered. All or nothing; `false` if there is no such person.
   */
  setPassword (username: string, passwordHash: string, now?: Date): Promise<boolean>
  /** Disables (and ends every session and every grant, as above) or enables; `false` if there is no such person. */
  setDisabled (username: string, disabledAt: Date | null): Promise<boolean>
}
