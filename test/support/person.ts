import type { Stack } from './stack.js'

/** A consent page as a browser has it. */
export interface ConsentPage {
  status: number
  html: string
  /** Where its form goes. */
  action: string
  /** Its hidden field. */
  transaction: string
}

/** A user name and a password, as typed. */
export interface Credentials { username: string, password: string }

/** A person whose password, unlike the one of `demo`, can be distinguished from other text in a log. */
export const erika: Credentials = { username: 'erika', password: 'Erikas geheimes Passwort' }

/** Registers a person, as an operator does. */
export async function addPerson (stack: Stack, { username, password }: Credentials): Promise<void> {
  stack.leakCheck.secret(password)
  await stack.register(['user', 'add', username], `${password}\n`)
}

/** How a request was answered; status 0 if it was not. */
export interface Answer {
  what: string
  status: number
  retryAfter: string | null
  /** When the answer came, in milliseconds since 1970. */ at: number
  ms: number
}

/** A person with a browser that has cookies and forms, but no JavaScript. */
export class Person {
  readonly #stack: Stack
  readonly #cookies = new Map<string, string>()
  readonly #onAnswer: (answer: Answer) => void

  constructor (stack: Stack, onAnswer: (answer: Answer) => void = () => {}) {
    this.#stack = stack
    this.#onAnswer = onAnswer
  }

  /** Asks without following redirects; the leak check of the stack sees the answer. */
  async request (url: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...init.headers, cookie: [...this.#cookies].map(pair => pair.join('=')).join('; ') }
    const response = await timed(url, { ...init, headers, redirect: 'manual' }, this.#onAnswer)
    const cookies = response.headers.getSetCookie()
    for (const cookie of cookies) {
      const [name, value] = cookie.split(';', 1)[0]!.split('=', 2)
      this.#cookies.set(name!, value!)
    }
    this.#stack.leakCheck.answer({ location: response.headers.get('location'), cookies })
    return response
  }

  /** Goes where an app sends its people, up to the consent page. */
  async open (authorizationUrl: string): Promise<ConsentPage> {
    const sent = await this.request(authorizationUrl)
    const location = sent.headers.get('location')
    if (sent.status !== 302 || location === null) throw new Error(`GET /authorize answered ${sent.status}: ${await sent.text()}`)
    return await this.#read(await this.request(location))
  }

  async #read (response: Response): Promise<ConsentPage> {
    const html = await response.text()
    const [, action] = /<form method="post" action="([^"]*)"/.exec(html) ?? []
    const [, transaction] = /name="transaction" value="([^"]*)"/.exec(html) ?? []
    if (action === undefined || transaction === undefined) throw new Error(`This is no consent page, ${response.status}: ${html}`)
    const address = new URL(action.replaceAll('&amp;', '&').replaceAll('&#39;', "'"), this.#stack.issuer)
    return { status: response.status, html, action: address.href, transaction }
  }

  /** Sends the form of a page. */
  async submit ({ action, transaction }: ConsentPage, fields: Record<string, string>): Promise<Response> {
    return await this.request(action, { method: 'POST', body: new URLSearchParams({ transaction, ...fields }) })
  }

  /** Allows what an app asks for. Gives the address that the browser is sent to. @throws if it is sent nowhere */
  async allow (authorizationUrl: string, credentials?: Credentials): Promise<string> {
    const response = await this.submit(await this.open(authorizationUrl), { decision: 'allow', ...credentials })
    const location = response.headers.get('location')
    if (response.status !== 303 || location === null) throw new Error(`POST /consent answered ${response.status}: ${await response.text()}`)
    return location
  }
}

/** `fetch` that tells how it went. @throws as fetch does */
export async function timed (url: string, init: RequestInit, onAnswer: (answer: Answer) => void): Promise<Response> {
  const begun = Date.now()
  const what = `${init.method ?? 'GET'} ${new URL(url).pathname}`
  const report = (status: number, retryAfter: string | null) => {
    onAnswer({
      what, status, retryAfter, at: Date.now(), ms: Date.now() - begun
    })
  }
  try {
    const response = await fetch(url, init)
    report(response.status, response.headers.get('retry-after'))
    return response
  } catch (error) {
    report(0, null)
    throw error
  }
}

/** The authorization URL of an app. */
export function authorizationUrl (stack: Stack, parameters: Record<string, string> = {}): string {
  const query = { response_type: 'token', client_id: 'desk', redirect_uri: stack.callback, ...parameters }
  return `${stack.issuer}/authorize?${new URLSearchParams(query)}`
}
