import { randomUUID } from 'node:crypto'
import type { InjectOptions, LightMyRequestResponse } from 'fastify'
import type { Test } from 'tap'
import { codeClient, codeQuery, exchangeForm, post, queryOf } from '../code-flow.js'
import { Browser, build, type Built } from '../helper.js'
import { hashPassword } from '../../../src/sign-in/password.js'

export const API = 'https://id.example/admin/api'
const PASSWORD = 'correct horse'
const passwordHash = hashPassword(PASSWORD)

/** A client of administrators. */
export const console = codeClient({
  id: 'admin-cli', registeredBy: 'operator', allowedScope: 'admin:read admin:write openid offline_access', defaultScope: 'admin:read admin:write'
})

/** Sends a request of the administration API. */
export type Ask = (
  method: NonNullable<InjectOptions['method']>, path: string, body?: object, headers?: Record<string, string>
) => Promise<LightMyRequestResponse>

/** An app with the administration API, and how users with roles call it. */
export async function buildAdmin (t: Test, env: Record<string, string> = {}) {
  const built = await build(t, { ADMIN: 'true', ...env })
  await built.stores.clients.put(console)
  return {
    ...built,
    /** Adds a user with roles. */
    add: async (username: string, ...roles: string[]) => await addUser(built, username, roles),
    /** A caller with a token of a user. */
    as: async (username: string) => callerOf(built, await signIn(built, username)),
    ask: (token: string | undefined) => callerOf(built, token)
  }
}

/** Adds a user with roles. */
export async function addUser ({ stores }: Pick<Built, 'stores'>, username: string, roles: readonly string[] = []): Promise<string> {
  const id = randomUUID()
  await stores.users.add({ id, username, passwordHash: await passwordHash, demo: false }, roles)
  return id
}

/** From now on, users sign in with these methods (`amr`). */
export function signInWith ({ stores: { codes } }: Pick<Built, 'stores'>, amr: string): void {
  const { add } = codes
  codes.add = async code => await add({ ...code, amr })
}

/** Signs a user in at {@link console}. Returns the access token; `undefined`: none was issued. */
export async function signIn (
  { app }: Pick<Built, 'app'>, username: string, changes: Record<string, string | undefined> = {}
): Promise<string | undefined> {
  return (await tokens({ app }, username, changes)).access_token
}

/** The response of `/token` to a user's code. */
export async function tokens (
  { app }: Pick<Built, 'app'>, username: string, changes: Record<string, string | undefined> = {}
): Promise<Record<string, string>> {
  const query = codeQuery({ client_id: console.id, resource: API, ...changes })
  const browser = new Browser(app)
  const first = await browser.allow(query, { username, password: PASSWORD })
  // The page is shown again, signed in, if the user cannot grant a scope that it listed.
  const answer = first.statusCode === 200 ? await browser.allow(query, {}) : first
  const { code = '' } = answer.headers.location === undefined ? {} : queryOf(answer)
  return (await post(app, '/token', exchangeForm(code, { client_id: changes.client_id ?? console.id }))).json()
}

function callerOf ({ app }: Pick<Built, 'app'>, token: string | undefined): Ask {
  return async (method, path, body, headers = {}) => await app.inject({
    method,
    url: `/admin/api${path}`,
    headers: { ...token !== undefined && { authorization: `Bearer ${token}` }, ...headers },
    ...body !== undefined && { payload: body }
  })
}
