import { Type } from '@sinclair/typebox'
import { listKeys, retireKey, rotateKeys } from '../../admin/keys.js'
import { ANNOUNCEMENT_MS, MIN_ANNOUNCEMENT_MS } from '../../keys/life-cycle.js'
import { endpoint, orNull, strict, Time, type Endpoint } from './endpoint.js'

const Key = Type.Object({
  kid: Type.String({ description: 'Identifier: the `kid` of tokens and of the key set.' }),
  alg: Type.String(),
  signs: Type.Union([Type.Literal('access tokens'), Type.Literal('ID tokens')]),
  state: Type.Union((['announced', 'signing', 'published', 'retired'] as const).map(state => Type.Literal(state))),
  createdAt: Time,
  signsFrom: Time,
  signsUntil: orNull(Time),
  retiresAt: orNull(Time)
}, { title: 'Key' })
const Keys = Type.Object({ items: Type.Array(Key) }, { title: 'Keys' })

/** `/keys`. */
export const keys: readonly Endpoint[] = [
  endpoint('listKeys', 'GET /keys', { says: 'List the signing keys, oldest first', right: 'read', answer: Keys },
    async stores => ({ items: await listKeys(stores) })),

  endpoint('rotateKeys', 'POST /keys/rotate', {
    says: 'Create a signing key, which is published immediately and starts signing later',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({
      idTokens: Type.Optional(Type.Boolean({
        description: 'Whether to replace the keys for ID tokens, one per algorithm, and not the key for access tokens. Default: false.'
      })),
      signsIn: Type.Optional(Type.Integer({
        minimum: MIN_ANNOUNCEMENT_MS / 1_000,
        maximum: 9_999_999,
        description: `Seconds until it starts signing. Default: ${ANNOUNCEMENT_MS / 1_000}.`
      }))
    }, strict),
    answer: Keys,
    status: 201
  }, async (stores, { body: { idTokens = false, signsIn }, config, by }) => {
    const delay = signsIn === undefined ? ANNOUNCEMENT_MS : signsIn * 1_000
    return { items: await rotateKeys(stores, { config, idTokens, delay }, by) }
  }),

  endpoint('retireKey', 'POST /keys/:kid/retire', {
    says: 'Permanently retire a signing key, so that tokens it signed are rejected', right: 'manage', isSensitive: true, answer: Key
  }, async (stores, { params, by }) => (await retireKey(stores, params.kid, by)).key)
]
