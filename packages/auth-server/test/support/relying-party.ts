import { freePort } from '@frontdesk/test-kit/free-port'
import type { Test } from 'tap'
import { hashOpaqueToken } from '../../src/sign-in/opaque-token.js'
import type { NewClient } from '../../src/stores/clients/client-row.js'
import { Browser, build } from './helper.js'
import { codeClient, locationOf } from './code-flow.js'

/** The secret of the client, with characters that have to be encoded. */
export const SECRET = 'a secret: 100 % + more'

/** The app, listening at its issuer, with one client. */
export async function serve (t: Test, changes: Partial<NewClient>, env: Record<string, string> = {}) {
  const port = await freePort()
  const issuer = `http://127.0.0.1:${port}`
  const built = await build(t, { ISSUER: issuer, ...env })
  await built.stores.clients.put(codeClient({ grantTypes: ['authorization_code', 'refresh_token', 'client_credentials'], ...changes }))
  await built.stores.clientSecrets.add({ clientId: 'app', hash: hashOpaqueToken(SECRET), createdAt: new Date() })
  await built.app.listen({ port, host: '127.0.0.1' })
  /** Ann allows what an address asks for; gives where she is sent. */
  const allow = async (url: URL) => locationOf(await new Browser(built.app).allow(url.search.slice(1)))
  return { ...built, issuer: new URL(issuer), allow }
}
