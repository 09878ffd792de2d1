import { Type } from '@sinclair/typebox'
import { addSecret, listSecrets, removeSecret } from '../../admin/client-secrets.js'
import { endpoint, Time, type Endpoint } from './endpoint.js'

const slot = Type.Integer({ description: '1 or 2: a client has at most two secrets.' })

/** `/clients/:id/secrets`. */
export const clientSecrets: readonly Endpoint[] = [
  endpoint('listSecrets', 'GET /clients/:id/secrets', {
    says: 'List the secrets of a client with their creation times, without the values',
    right: 'read',
    answer: Type.Object({ items: Type.Array(Type.Object({ slot, createdAt: Time })) })
  }, async (stores, { params }) => ({ items: await listSecrets(stores, params.id) })),

  endpoint('addSecret', 'POST /clients/:id/secrets', {
    says: 'Add a secret to a client',
    right: 'manage',
    isSensitive: true,
    answer: Type.Object({ slot, secret: Type.String({ description: 'The secret, which no other response contains.' }) }),
    status: 201
  }, async (stores, { params, by }) => await addSecret(stores, params.id, by)),

  endpoint('removeSecret', 'DELETE /clients/:id/secrets/:slot', {
    says: 'Remove a secret of a client', right: 'manage', isSensitive: true
  }, async (stores, { params, by }) => { await removeSecret(stores, params.id, params.slot, by) })
]
