/** A JWT, signed or not: the access token, and the hidden field of the consent page. */
const JWT = /eyJ[\w-]+\.[\w-]+\.[\w-]*/

/** The query of an authorization request: `state` and other confidential parameters. */
const QUERY = /\/(authorize|consent)\?\w/

/** What it has looked at: a check that saw nothing proves nothing. */
export interface Seen { lines: number, locations: number, tokens: number }

/**
 * Watches a run of the programs for what must never be written or sent: tokens, passwords, cookies and authorization
 * requests in a log line, an
 * access token before the `#` of a Location (RFC 6749 §4.2.2, RFC 9700 §4.3).
 */
export class LeakCheck {
  readonly #secrets = new Set<string>()
  readonly #lines: string[] = []
  readonly #printed: string[] = []
  readonly #locations: string[] = []
  readonly #tokens = new Set<string>()

  /** A value that no log line may hold; values that are ordinary words tell nothing and are refused. */
  secret (value: string): void {
    if (value.length < 12) throw new RangeError(`"${value}" is too short to be told from other text.`)
    this.#secrets.add(value)
  }

  /** A line that a program wrote. */
  line (text: string): void {
    this.#lines.push(text)
  }

  /** A line that a command printed for the operator: it may hold an authorization request, as an example, and no secret. */
  printed (text: string): void {
    this.#printed.push(text)
  }

  /** The headers of an answer that a client got: its Location, and its cookies, which are secrets from then on. */
  answer ({ location, cookies }: { location: string | null, cookies: readonly string[] }): void {
    for (const cookie of cookies) {
      const [name, ...value] = cookie.split(';', 1)[0]!.split('=')
      // Words that say which message the next page shows, and in which language.
      if (value.join('=') !== '' && !/^(__Host-)?(flash|(desk-)?language)/.test(name!)) this.secret(value.join('='))
    }
    if (location === null) return
    this.#locations.push(location)
    const token = new URLSearchParams(location.split('#')[1]).get('access_token')
    if (token !== null) this.token(token)
  }

  /** A token that a client got. */
  token (value: string): void {
    this.#tokens.add(value)
    this.secret(value)
  }

  /** How much was looked at. */
  get seen (): Seen {
    return { lines: this.#lines.length, locations: this.#locations.length, tokens: this.#tokens.size }
  }

  /** Everything that was written, for the message of a program that does not start. */
  get log (): string {
    return this.#lines.join('\n')
  }

  /** What was found, a sentence each. Looks at everything seen, with all secrets known by now. */
  findings (): string[] {
    const secrets = [...this.#secrets].flatMap(secret => [
      secret, encodeURIComponent(secret), new URLSearchParams({ secret }).toString().slice('secret='.length)
    ])
    const leaks = (text: string) => JWT.test(text) || secrets.some(secret => text.includes(secret))
    return [
      ...this.#lines.filter(line => leaks(line) || QUERY.test(line)).map(line => `A log line holds a secret: ${line}`),
      ...this.#printed.filter(leaks).map(line => `A command printed a secret: ${line}`),
      ...this.#locations.filter(location => {
        const beforeFragment = location.split('#', 1)[0]!
        return beforeFragment.includes('access_token') || leaks(beforeFragment)
      }).map(location => `A Location holds a secret before its fragment: ${location}`)
    ]
  }
}
