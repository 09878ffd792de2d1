import type { User } from './users.js'

/** A person who is signed in, in one browser. */
export interface Session {
  /** SHA-256 of the session cookie, base64url. Says which it is, and lets no browser in. */
  readonly id: string
  readonly userId: string
  readonly username: string
  /** When the password was given. */
  readonly authTime: Date
  /** When the browser was last seen, to within some minutes. */
  readonly lastSeen: Date
}

/** A session as its person sees it. */
export interface SessionEntry extends Pick<Session, 'id' | 'authTime' | 'lastSeen'> {
  /** `User-Agent` of the browser at sign-in; `null` if it is not known. */
  readonly userAgent: string | null
}

/** A session, as a request of a client finds it. */
export interface FoundSession extends Session {
  /** Sum of the access epochs of the person, the client and the person at the client: what is given rests on it. */
  readonly epoch: number
}

/** A session that a verified password begins. */
export interface NewSession {
  /** SHA-256 of the session id, base64url. */
  readonly idHash: string
  /** As read for the verification. */
  readonly user: Pick<User, 'id' | 'passwordHash' | 'epoch'>
  readonly authTime: Date
  readonly expiresAt: Date
  /** `User-Agent` of the browser; `null` if it sent none. */
  readonly userAgent?: string | null
}

/** The browsers in which somebody is signed in. Only hashes of session ids are stored. */
export interface Sessions {
  /** The session, unless it has ended, or the person is disabled or their access has ended since. */
  find (idHash: string, now: Date, clientId?: string): Promise<FoundSession | null>
  /**
   * Begins a session in one statement; `false`, with nothing begun, if the verified password is no longer the current one,
   * the person's access has ended since it was read, or the person is disabled or removed.
   */
  add (session: NewSession): Promise<boolean>
  /** Ends a session; says whose it was, `null` if there was none. Of any number of callers at once one is told. */
  remove (idHash: string): Promise<string | null>
  /** The sessions of a person, last seen first: at most 50, and whether there are more. */
  list (userId: string, now: Date): Promise<{ sessions: SessionEntry[], more: boolean }>
  /** Atomic: ends a session if it is one of the person; `false` if there is none. */
  end (userId: string, id: string): Promise<boolean>
  /** Records that a browser was seen at `now`, unless that was recorded after `before`. Browsers seen at once share a statement. */
  see (id: string, now: Date, before: Date): Promise<void>
  /** Removes up to `limit` sessions that have ended; says how many. */
  sweep (now: Date, limit: number): Promise<number>
}
