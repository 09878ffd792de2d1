import type { FastifyInstance, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { Browser, build, formTokenOf } from '../helper.js'
import { addUser } from './admin.js'

/** A browser that uses the console. */
export class ConsoleBrowser extends Browser {
  readonly #credentials: Record<string, string>

  constructor (app: FastifyInstance, username: string, password = 'correct horse') {
    super(app)
    this.#credentials = { username, password }
  }

  /** Opens a page of the console, by way of the sign-in if there is none yet. */
  async open (path: string): Promise<LightMyRequestResponse> {
    return await this.follow(await this.get(`/admin${path}`))
  }

  /** Sends a form of a page, by way of another sign-in if the action needs one. */
  async send (path: string, fields: Record<string, string> | string = {}, from = ''): Promise<LightMyRequestResponse> {
    const transaction = formTokenOf(await this.open(from))
    const form = new URLSearchParams(fields)
    form.append('transaction', transaction)
    return await this.post(`/admin${path}`, form.toString())
  }

  /** Follows redirects, and signs in where that is asked. */
  async follow (response: LightMyRequestResponse): Promise<LightMyRequestResponse> {
    let next = response
    for (let steps = 0; next.headers.location !== undefined; steps++) {
      if (steps > 10) throw new Error('too many redirects')
      const { pathname, search } = new URL(next.headers.location, 'https://id.example')
      next = await this.get(pathname + search)
      if (pathname !== '/consent' || next.statusCode !== 200) continue
      next = await this.post(pathname + search, { transaction: formTokenOf(next), decision: 'allow', ...this.#credentials })
    }
    return next
  }
}

/** An app with the console, and its users' browsers. `moveClock` sets the clock to a number of minutes from now. */
export async function buildConsole (t: Test, env: Record<string, string> = {}) {
  const built = await build(t, { ADMIN: 'true', ...env })
  const { app, stores: { clock: { now } } } = built
  t.teardown(() => Object.assign(app.clock, { now }))
  return {
    ...built,
    moveClock: (minutes: number) => Object.assign(app.clock, { now: () => new Date(now().getTime() + minutes * 60_000) }),
    add: async (username: string, ...roles: string[]) => await addUser(built, username, roles),
    as: (username: string) => new ConsoleBrowser(app, username)
  }
}
