import type { FastifyInstance } from 'fastify'
import type { Test } from 'tap'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { codeClient, codeQuery, exchangeForm, form, post, queryOf } from './code-flow.js'
import { Browser, build } from './helper.js'

export const ISSUER = 'https://id.example'
export const SCOPE = 'openid customer:read directory:read'

/** A client whose allowed scopes name that of the directory. */
export const reader = (changes: Partial<NewClient> = {}): NewClient => codeClient({ id: 'reader', allowedScope: SCOPE, defaultScope: SCOPE, ...changes })

/** The app with a {@link reader}, and Ann, who has a name. */
export async function buildDirectory (t: Test, changes: Partial<NewClient> = {}) {
  const built = await build(t)
  const { app, stores } = built
  await stores.clients.put(reader(changes))
  await stores.profiles.change('ann', { name: 'Ann Example' })
  const ann = (await stores.users.find('ann'))!.id
  /** A token for the directory. */
  const token = async (id = 'reader') => (await refresh(app, id, (await signIn(app, id)).refresh_token!, { resource: ISSUER })).access_token!
  return { ...built, ann, token }
}

/** Signs Ann in at a client, and returns the token response. */
export async function signIn (app: FastifyInstance, id: string, changes: Record<string, string> = {}): Promise<Record<string, string>> {
  const { code = '' } = queryOf(await new Browser(app).allow(codeQuery({ client_id: id, scope: SCOPE, ...changes })))
  return (await post(app, '/token', exchangeForm(code, { client_id: id }))).json()
}

/** The response to a refresh token. */
export async function refresh (
  app: FastifyInstance, id: string, token: string, changes: Record<string, string> = {}
): Promise<Record<string, string>> {
  return (await post(app, '/token', form({ grant_type: 'refresh_token', client_id: id, refresh_token: token, ...changes }))).json()
}

/** Asks the directory. @param headers may replace those of a usual request */
export async function ask (app: FastifyInstance, token: string | undefined, body: unknown, headers: Record<string, string> = {}) {
  return await app.inject({
    method: 'POST',
    url: '/directory',
    headers: { 'content-type': 'application/json', ...token !== undefined && { authorization: `Bearer ${token}` }, ...headers },
    payload: typeof body === 'string' ? body : JSON.stringify(body)
  })
}
