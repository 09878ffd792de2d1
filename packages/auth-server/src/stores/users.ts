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
  /** How often the person's access ended. */
  readonly epoch: number
}

/** What a person is registered with. */
export type NewUser = Omit<User, 'disabledAt' | 'createdAt' | 'epoch'>

/** What is held about a person. */
export interface Holdings {
  /** Live sessions. */
  readonly sessions: number
  /** Ids of the clients that hold live access, or get it without asking; a hundred at most. */
  readonly clients: readonly string[]
}

/** The people who can sign in. User names are compared after NFKC and in lower case. */
export interface Users {
  /** The person of that user name, disabled or not; `null` if there is none. */
  find (username: string): Promise<User | null>
  /** The user names of those who are there, by their ids. */
  names (ids: readonly string[]): Promise<Map<string, string>>
  /** All of them, by user name. */
  list (): Promise<User[]>
  /** Adds a person; `false` if the user name is taken, and then nothing is changed. */
  add (user: NewUser): Promise<boolean>
  /**
   * Sets the password and ends every session and all that apps hold: codes and tokens. Remembered consent stays. All or
   * nothing; `false` if there is no such person.
   */
  setPassword (username: string, passwordHash: string): Promise<boolean>
  /**
   * Sets the password in the same way, if the one that was verified is still the current one: of concurrent changes one
   * succeeds. Returns the person as changed; `null`, with nothing changed, if the password has changed or access ended.
   */
  changePassword (verified: User, passwordHash: string): Promise<User | null>
  /** Disables, which ends every session and all that apps hold, or enables; `false` if there is no such person. */
  setDisabled (username: string, disabledAt: Date | null): Promise<boolean>
  /** Ends every session of the person and all that apps hold. Remembered consent stays. */
  endAccess (id: string): Promise<void>
  /** Changes the user name, and nothing else. */
  rename (username: string, wanted: string): Promise<'renamed' | 'taken' | 'unknown'>
  /**
   * Ends the person's access and erases everything held about them but audit rows, which have only the id. All or nothing.
   * Returns the id; `null` if there is no such person.
   */
  remove (username: string): Promise<string | null>
  /** What is held about a person; `null` if there is no such person. */
  holdings (username: string, now: Date): Promise<Holdings | null>
}
