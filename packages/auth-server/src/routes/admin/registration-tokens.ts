import { Type } from '@sinclair/typebox'
import { addRegistrationToken, listRegistrationTokens, MAX_DAYS, MAX_USES, removeRegistrationToken } from '../../admin/tokens.js'
import { endpoint, Page, pageOf, PAGE_SIZE, strict, Time, type Endpoint } from './endpoint.js'

const GrantTypes = Type.Array(Type.String(), { description: 'Grant types that its clients can use.' })
const AllowedScope = Type.String({ description: 'Space-separated scopes that its clients can request; `*`: any.' })

const Token = Type.Object({
  id: Type.String(),
  usesLeft: Type.Integer({ description: 'How many clients it can still register.' }),
  grantTypes: GrantTypes,
  allowedScope: AllowedScope,
  createdAt: Time,
  expiresAt: Time
}, { title: 'RegistrationToken' })

/** `/registration-tokens`. */
export const registrationTokens: readonly Endpoint[] = [
  endpoint('listRegistrationTokens', 'GET /registration-tokens', {
    says: 'List registration tokens, newest first',
    right: 'read',
    query: Type.Object({ after: Type.Optional(Type.String({ description: '`next` of the previous page.' })), ...Page }, strict),
    answer: pageOf(Token)
  }, async (stores, { query: { after, limit = PAGE_SIZE } }) => {
    const { tokens, next } = await listRegistrationTokens(stores, { after, limit })
    return { items: tokens, next }
  }),

  endpoint('addRegistrationToken', 'POST /registration-tokens', {
    says: 'Create a registration token, with which clients can register themselves',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({
      uses: Type.Optional(Type.Integer({
        minimum: 1, maximum: MAX_USES, description: 'How many clients can register with it. Default: 1.'
      })),
      days: Type.Optional(Type.Integer({ minimum: 1, maximum: MAX_DAYS, description: 'How many days it is valid. Default: 7.' })),
      grantTypes: Type.Optional(GrantTypes),
      allowedScope: Type.Optional(AllowedScope)
    }, strict),
    answer: Type.Intersect([Token, Type.Object({ token: Type.String({ description: 'The token. Only this response contains it.' }) })]),
    status: 201
  }, async (stores, { body: { uses = 1, days = 7, ...limits }, by }) => await addRegistrationToken(stores, { uses, days, ...limits }, by)),

  endpoint('removeRegistrationToken', 'DELETE /registration-tokens/:id', {
    says: 'Remove a registration token; clients that registered with it stay', right: 'manage'
  }, async (stores, { params, by }) => { await removeRegistrationToken(stores, params.id, by) })
]
