import { randomUUID } from 'node:crypto'
import { customerScopes } from '@frontdesk/schemas/customer-scope'
import { isDeepStrictEqual } from 'node:util'
import { refuseCallback } from './oauth/redirect-uri.js'
import { hashPassword } from './sign-in/password.js'
import type { NewClient } from './stores/clients.js'
import type { Stores } from './stores/stores.js'

/**
 * Makes the demo app, with this callback, and the demo person `demo`, password `demo`. For development.
 * @throws if the callback may not be registered
 */
export async function makeDemo ({ clients, users }: Stores, callback: string): Promise<void> {
  const refusal = refuseCallback(callback)
  if (refusal !== undefined) throw new Error(`DEMO_CALLBACK cannot be used. ${refusal}`)
  const app: NewClient = {
    id: 'demo-app',
    name: 'Demo app',
    callbacks: [callback],
    resources: [],
    defaultScope: Object.keys(customerScopes).join(' '),
    accessTokenTtl: null,
    implicit: 'allowed',
    demo: true
  }
  const found = await clients.find(app.id)
  if (found === null || !isDeepStrictEqual({ ...found, ...app }, found)) await clients.put(app)
  if (await users.find('demo') === null) {
    await users.add({ id: randomUUID(), username: 'demo', passwordHash: await hashPassword('demo'), demo: true })
  }
}

/** @throws if a demo app or person could be used: everybody knows the password */
export async function refuseDemo ({ clients, users }: Stores): Promise<void> {
  const usable = ({ demo, disabledAt }: { demo: boolean, disabledAt: Date | null }) => demo && disabledAt === null
  const commands = [
    ...(await clients.list()).filter(usable).map(({ id }) => `frontdesk-auth client remove ${id}`),
    ...(await users.list()).filter(usable).map(({ username }) => `frontdesk-auth user disable ${username}`)
  ]
  if (commands.length > 0) throw new Error(`This database has demo accounts, which production refuses. Run: ${commands.join(' && ')}`)
}
