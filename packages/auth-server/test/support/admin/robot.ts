import { addClient } from '../../../src/admin/clients.js'
import { form, post } from '../code-flow.js'
import { API, type Ask } from './admin.js'
import type { openAdmin } from './clients.js'

/** A caller that is a client, with its secret. */
export async function asClient (
  { app, stores, ask }: Awaited<ReturnType<typeof openAdmin>>, id: string, allowedScope: string
): Promise<Ask> {
  const entry = { clientId: id, name: id, grantTypes: ['client_credentials'], tokenEndpointAuthMethod: 'client_secret_post', allowedScope }
  const { secret = '' } = await addClient(stores, entry, [], { kind: 'shell', name: 'test' })
  const fields = { grant_type: 'client_credentials', client_id: id, client_secret: secret, resource: API, scope: allowedScope }
  return ask((await post(app, '/token', form(fields))).json().access_token)
}
