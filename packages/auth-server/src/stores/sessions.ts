/** Somebody signed in, in one browser. */
export interface Session {
  readonly userId: string
  readonly username: string
  /** When the password was given. */
  readonly authTime: Date
}

/** The browsers in which somebody is signed in. Only hashes of session ids are stored. */
export interface Sessions {
  /** The session, unless it has ended or the person is disabled. */
  find (idHash: string, now: Date): Promise<Session | null>
  add (session: { idHash: string, userId: string, authTime: Date, expiresAt: Date }): Promise<void>
  /** Ends a session; says whose it was, `null` if there was none. Of any number of callers at once one is told. */
  remove (idHash: string): Promise<string | null>
  /** Ends every session of a person. */
  removeAll (userId: string): Promise<void>
  /** Removes up to `limit` sessions that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
