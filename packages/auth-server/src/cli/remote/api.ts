import { CommandError } from '@frontdesk/service-kit/cli/errors'
import type { SignedIn } from '@frontdesk/service-kit/sign-in/sign-in'
import type { SignIn } from '@frontdesk/service-kit/sign-in/stored-sign-in'
import { randomUUID } from 'node:crypto'
import { Refusal } from '../../admin/refusal.js'
import { findApi } from './find-api.js'
import { program, SCOPE } from './program.js'
import { readAnswer, type Answer } from './read-answer.js'
import { send, type Content, type Method } from './send.js'

declare module '@frontdesk/service-kit/cli/command' {
  interface Api extends AdminApi {}
}

/** All items of a list without pages. */
export interface Items<Item> { readonly items: readonly Item[] }

/** A page of a list. */
interface Page<Item> extends Items<Item> { readonly next: string | null }

/** Maximum items that the API returns in a page. */
const MAX_PAGE = 200
/** Maximum attempts at a change while others change the same resource. */
const MAX_ATTEMPTS = 5

/** The administration API of a server, with the token of the user who signed in with `login`. */
export class AdminApi {
  readonly server: string
  #signIn: Promise<SignIn> | undefined

  constructor (server: string) {
    this.server = server.replace(/\/$/, '')
  }

  /** Signs the user in by the device grant (RFC 8628). @throws CommandError */
  async signIn (print: (line: string) => void): Promise<SignedIn> {
    const { signIn } = await import('@frontdesk/service-kit/sign-in/sign-in')
    const findResource = ({ protected_resources: all }: Readonly<Record<string, unknown>>) => findApi(this.server, all)
    return await signIn({ issuer: this.server, clientId: program.name, program, scope: SCOPE, findResource }, print)
  }

  async get<T> (path: string, query: Content['query'] = {}): Promise<T> {
    return await this.#send('GET', path, { query })
  }

  async post<T> (path: string, body?: object): Promise<T> {
    return await this.#send('POST', path, { ...body && { body }, idempotencyKey: randomUUID() })
  }

  /** Previews a change. `etag`: the version to send with it, so that it does exactly that. */
  async preview<T> (path: string, content: Pick<Content, 'query' | 'body'>): Promise<{ readonly value: T, readonly etag: string }> {
    const { value, etag } = await this.#request('POST', path, content)
    // as: the schema of the operation.
    return { value: value as T, etag }
  }

  async put<T> (path: string, body: object, content: Pick<Content, 'query' | 'etag'> = {}): Promise<T> {
    return await this.#send('PUT', path, { ...content, body })
  }

  async patch<T> (path: string, body: object): Promise<T> {
    return await this.#send('PATCH', path, { body })
  }

  async delete<T> (path: string): Promise<T> {
    return await this.#send('DELETE', path)
  }

  /** Reads pages until there are enough items. @param cursor name of the parameter for `next` of the previous page */
  async list<Item> (
    path: string, { limit = Infinity, ...query }: Content['query'] & { readonly limit?: number } = {}, cursor = 'after'
  ): Promise<Page<Item>> {
    const items: Item[] = []
    let from: Record<string, string> = {}
    for (;;) {
      const page = await this.get<Page<Item>>(path, { ...query, ...from, limit: Math.min(limit - items.length, MAX_PAGE) })
      items.push(...page.items)
      if (page.next === null || items.length >= limit) return { items, next: page.next }
      from = { [cursor]: page.next }
    }
  }

  /** Changes a resource that has an `ETag`; tries again if someone else changes it in the meantime. */
  async edit<Before, After> (path: string, change: (before: Before) => object): Promise<{ before: Before, after: After }> {
    for (let attempt = 1; ; attempt++) {
      const { value, etag } = await this.#request('GET', path)
      // as: the schema of the operation.
      const before = value as Before
      try {
        return { before, after: await this.#send('PATCH', path, { body: change(before), etag }) }
      } catch (error) {
        if (!(error instanceof Refusal && error.code === 'changed') || attempt === MAX_ATTEMPTS) throw error
      }
    }
  }

  async #send<T> (method: Method, path: string, content?: Content): Promise<T> {
    // as: the schema of the operation.
    return (await this.#request(method, path, content)).value as T
  }

  /** @throws Refusal, CommandError */
  async #request (method: Method, path: string, content: Content = {}): Promise<Answer> {
    const used = this.#signIn ??= this.#findSignIn()
    const response = await send(await used, method, path, content)
    // Nothing was done: the request can be repeated after a sign-in.
    if (response.status !== 401) return await readAnswer(response)
    const challenge = response.headers.get('www-authenticate') ?? ''
    await response.body?.cancel()
    // Concurrent requests share one sign-in.
    if (this.#signIn === used) {
      this.#signIn = this.#signInAgain(challenge.includes('insufficient_user_authentication')
        ? `This needs a sign-in within the last ten minutes${challenge.includes('acr_values') ? ', with a second factor' : ''}.`
        : `Your sign-in at ${this.server} has expired or was revoked.`)
    }
    return await readAnswer(await send(await this.#signIn, method, path, content))
  }

  /** The stored sign-in, or a new one if it expires. @throws CommandError */
  async #findSignIn (): Promise<SignIn> {
    const { isLive } = await import('@frontdesk/service-kit/sign-in/current-token')
    const signIn = await this.#readSignIn()
    return isLive(signIn) ? signIn : await this.#signInAgain(`Your sign-in at ${this.server} has expired.`)
  }

  /** @throws CommandError if the user is not signed in at this server */
  async #readSignIn (): Promise<SignIn> {
    const { StoredSignIn } = await import('@frontdesk/service-kit/sign-in/stored-sign-in')
    const signIn = await new StoredSignIn(program).read()
    if (signIn?.issuer !== this.server) throw new CommandError(`You are not signed in at ${this.server}. ${this.#remedy}`)
    return signIn
  }

  /** @throws CommandError without a terminal */
  async #signInAgain (why: string): Promise<SignIn> {
    if (!process.stderr.isTTY) throw new CommandError(`${why} ${this.#remedy}`)
    console.error(why)
    await this.signIn(line => console.error(line))
    return await this.#readSignIn()
  }

  get #remedy (): string {
    return `Run frontdesk-auth login --server ${this.server}`
  }
}

/** Builds a path with encoded values. */
export function path (texts: TemplateStringsArray, ...values: readonly string[]): string {
  return String.raw({ raw: texts }, ...values.map(encodeURIComponent))
}
