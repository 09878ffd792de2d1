import { randomUUID } from 'node:crypto'
import { customerScopes, reservedCustomerScopes } from '@frontdesk/schemas/customer-scope'
import { isDeepStrictEqual } from 'node:util'
import { findDemo } from './admin/health.js'
import type { Config } from './config.js'
import { adminScopes } from './oauth/admin-scopes.js'
import { DEVICE_CODE } from './oauth/grant-types.js'
import { whyNotCallback } from './oauth/redirect-uri.js'
import { DIRECTORY_SCOPE } from './oauth/reserved-scopes.js'
import { hashPassword } from './sign-in/password.js'
import type { NewClient } from './stores/clients/client-row.js'
import type { Stores } from './stores/stores.js'
import type { Profile } from './stores/users/profiles.js'

type DemoApp = Pick<NewClient, 'id' | 'name' | 'callbacks' | 'postLogoutRedirectUris' | 'implicit' | 'grantTypes'>
  & Partial<Pick<NewClient, 'allowedScope' | 'defaultScope'>>

type DemoConfig = Pick<Config, 'demoCallback' | 'demoDocsCallback' | 'callbackSchemes' | 'adminAudience'>

const ADMIN_SCOPE = Object.keys(adminScopes).join(' ')
const CUSTOMER_SCOPE = Object.keys(customerScopes).join(' ')

/** Any scope, and those of the directory and of undo, which must be named. */
const DESK_SCOPE = ['*', DIRECTORY_SCOPE, ...Object.keys(reservedCustomerScopes)].join(' ')

/** A browser app. */
const PAGE = { implicit: 'allowed', grantTypes: ['authorization_code', 'refresh_token'] } as const

/** `frontdesk-customer login`. */
const COMMAND: DemoApp = {
  id: 'frontdesk-customer', name: 'Customer register', callbacks: [], implicit: 'off', grantTypes: [DEVICE_CODE, 'refresh_token']
}

/** `frontdesk-auth login`. */
const ADMIN_COMMAND: DemoApp = {
  id: 'frontdesk-auth',
  name: 'Administration command',
  callbacks: [],
  implicit: 'off',
  grantTypes: [DEVICE_CODE],
  allowedScope: ADMIN_SCOPE,
  defaultScope: ADMIN_SCOPE
}

/** The attributes of the user `demo`. */
const PERSON = { name: 'Dana Demo', givenName: 'Dana', familyName: 'Demo', email: 'demo@example.com', emailVerified: true } as const

/**
 * For development: adds the desk and the API reference, if they have a callback, the command line of customer-service, and the user
 * `demo` with the password `demo`; with the administration API, also the command line of administrators, and the administrator
 * `admin` with the password `admin`.
 * @throws if a callback is not allowed
 */
export async function makeDemo (
  stores: Stores,
  { demoCallback, demoDocsCallback, callbackSchemes, adminAudience }: DemoConfig
): Promise<void> {
  if (demoCallback !== undefined) {
    // The app's home page.
    const postLogoutRedirectUris = URL.canParse(demoCallback) ? [new URL('/', demoCallback).href] : []
    assertCallback('DEMO_CALLBACK', demoCallback, callbackSchemes)
    const addresses = { callbacks: [demoCallback], postLogoutRedirectUris }
    await makeApp(stores, { ...PAGE, ...addresses, id: 'desk', name: 'Customer desk', allowedScope: DESK_SCOPE })
  }
  if (demoDocsCallback !== undefined) {
    assertCallback('DEMO_DOCS_CALLBACK', demoDocsCallback, callbackSchemes)
    await makeApp(stores, { ...PAGE, id: 'demo-docs', name: 'API reference', callbacks: [demoDocsCallback] })
  }
  for (const app of adminAudience === undefined ? [COMMAND] : [COMMAND, ADMIN_COMMAND]) {
    // An operator may have registered it.
    if ((await stores.clients.find(app.id))?.demo !== false) await makeApp(stores, app)
  }
  await makeUser(stores, 'demo', PERSON)
  if (adminAudience !== undefined) await makeUser(stores, 'admin', {}, ['administrator'])
}

/** Adds a user whose password is the user name. */
async function makeUser ({ users }: Stores, username: string, attributes: Partial<Profile>, roles: readonly string[] = []): Promise<void> {
  if (await users.find(username) !== null) return
  await users.add({ id: randomUUID(), username, passwordHash: await hashPassword(username), demo: true, ...attributes }, roles)
}

/** @throws if the callback is not allowed */
function assertCallback (setting: string, callback: string, schemes: readonly string[]): void {
  const reason = whyNotCallback(callback, schemes)
  if (reason !== null) throw new Error(`${setting} cannot be used. ${reason}`)
}

async function makeApp ({ clients }: Stores, named: DemoApp) {
  const app: NewClient = {
    defaultScope: CUSTOMER_SCOPE,
    ...named,
    resources: [],
    accessTokenTtl: null,
    tokenEndpointAuthMethod: 'none',
    jwks: null,
    native: false,
    demo: true
  }
  const found = await clients.find(app.id)
  if (found === null || !isDeepStrictEqual({ ...found, ...app }, found)) await clients.put(app)
}

/** @throws if a demo app or user is enabled: their password is public */
export async function assertNoDemo (stores: Stores): Promise<void> {
  const found = await findDemo(stores)
  if (found !== null) throw new Error(found.join(' '))
}
