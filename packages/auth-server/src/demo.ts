import { randomUUID } from 'node:crypto'
import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { isDeepStrictEqual } from 'node:util'
import type { Config } from './config.js'
import { whyNotCallback } from './oauth/redirect-uri.js'
import { hashPassword } from './sign-in/password.js'
import type { NewClient } from './stores/client-row.js'
import type { Stores } from './stores/stores.js'

/**
 * Adds the demo apps that have a callback, and the person `demo` with the password `demo`. For development.
 * @throws if a callback may not be registered
 */
export async function makeDemo (
  stores: Stores,
  { demoCallback, demoDocsCallback }: Pick<Config, 'demoCallback' | 'demoDocsCallback'>
): Promise<void> {
  if (demoCallback !== undefined) {
    // The app's first page, where it comes back to after sign-out.
    const postLogoutRedirectUris = URL.canParse(demoCallback) ? [new URL('/', demoCallback).href] : []
    await makeApp(stores, 'DEMO_CALLBACK', { id: 'demo-app', name: 'Demo app', callbacks: [demoCallback], postLogoutRedirectUris })
  }
  if (demoDocsCallback !== undefined) {
    await makeApp(stores, 'DEMO_DOCS_CALLBACK', { id: 'demo-docs', name: 'API reference', callbacks: [demoDocsCallback] })
  }
  if (await stores.users.find('demo') === null) {
    await stores.users.add({ id: randomUUID(), username: 'demo', passwordHash: await hashPassword('demo'), demo: true })
  }
}

async function makeApp ({ clients }: Stores, setting: string, named: Pick<NewClient, 'id' | 'name' | 'callbacks' | 'postLogoutRedirectUris'>) {
  const reason = named.callbacks.map(whyNotCallback).find(it => it !== null)
  if (reason !== undefined) throw new Error(`${setting} cannot be used. ${reason}`)
  const app: NewClient = {
    ...named,
    resources: [],
    defaultScope: Object.keys(customerScopes).join(' '),
    accessTokenTtl: null,
    implicit: 'allowed',
    grantTypes: ['authorization_code', 'refresh_token'],
    tokenEndpointAuthMethod: 'none',
    jwks: null,
    native: false,
    demo: true
  }
  const found = await clients.find(app.id)
  if (found === null || !isDeepStrictEqual({ ...found, ...app }, found)) await clients.put(app)
}

/** @throws if a demo app or person is enabled: the password is public */
export async function assertNoDemo ({ clients, users }: Stores): Promise<void> {
  const commands = [
    ...(await clients.list()).filter(({ demo, disabledAt }) => demo && disabledAt === null)
      .map(({ id }) => `frontdesk-auth client remove ${id}`),
    ...(await users.demo()).map(username => `frontdesk-auth user disable ${username}`)
  ]
  if (commands.length > 0) throw new Error(`This database has demo accounts, which production refuses. Run: ${commands.join(' && ')}`)
}
