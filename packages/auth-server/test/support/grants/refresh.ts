import { decodeJwt } from 'jose'
import type { Test } from 'tap'
import { loadConfig } from '../../../src/config.js'
import { refreshToken } from '../../../src/grants/refresh-token.js'
import { hashRefreshToken } from '../../../src/grants/refresh-token-form.js'
import { openIdTokenSigner } from '../../../src/keys/id-token-signer.js'
import { openKeyRing } from '../../../src/keys/key-ring.js'
import { OAuthError } from '../../../src/oauth/errors.js'
import { createTokenIssuer } from '../../../src/tokens/issue.js'
import { codeClient, exchangeForm, form, getCode, post } from '../code-flow.js'
import { build, CALLBACK } from '../helper.js'

/** A refresh token. */
export const TOKEN = /^[\w-]{86}$/

/** The app, a family of refresh tokens, and what uses one: now, or some seconds later. */
export async function prepare (t: Test) {
  const { app, stores, databaseUrl } = await build(t)
  await stores.clients.put(codeClient({ callbacks: [CALLBACK] }))
  await stores.clients.put(codeClient({ id: 'thief', callbacks: [CALLBACK] }))
  const answer = (await post(app, '/token', exchangeForm(await getCode(app, { scope: 'customer:read customer:write' })))).json()
  const config = loadConfig({ ISSUER: 'https://id.example' })
  const rings = { keys: await openKeyRing(stores.signingKeys, config), idTokens: await openIdTokenSigner(stores.idTokenKeys, config) }
  const parts = { stores, tokens: createTokenIssuer({ ...rings, profiles: stores.profiles, ...config }), server: { issuer: 'https://id.example', defaultAudience: 'https://api.example', adminAudience: undefined, mcpResources: [] } }
  const start = Date.now()
  const client = (await stores.clients.find('app'))!
  return {
    app,
    stores,
    databaseUrl,
    client,
    /** Those of the tokens that are current. */
    live: async (tokens: string[]) => {
      const found = await Promise.all(
        tokens.map(async token => ((await stores.refreshTokens.find(hashRefreshToken(token), new Date())) === null ? [] : [token]))
      )
      return found.flat()
    },
    first: answer.refresh_token as string,
    grant: String(decodeJwt(answer.access_token).grant_id),
    refresh: async (token: string, changes: Record<string, string | undefined> = {}) =>
      await post(app, '/token', form({ grant_type: 'refresh_token', client_id: 'app', refresh_token: token, ...changes })),
    /** The next token, or the error. */
    later: async (seconds: number, token: string | undefined): Promise<string | undefined> => {
      try {
        const request = { client, form: { refresh_token: token }, jkt: undefined, now: new Date(start + seconds * 1000) }
        return (await refreshToken.issue(parts, request)).response.refresh_token
      } catch (error) {
        if (error instanceof OAuthError) return error.error
        throw error
      }
    }
  }
}
