import { Type } from '@sinclair/typebox'
import { adoptClient } from '../../admin/adopt-client.js'
import { checkCallback } from '../../admin/callback-check.js'
import { findClientDetails, listClients } from '../../admin/client-details.js'
import { ClientEntry, type ShortEntry } from '../../admin/client-entry.js'
import {
  addClient, removeClient, revokeClient, setClientDisabled, setImplicit, updateClient, type EntryChange
} from '../../admin/clients.js'
import { findClient } from '../../admin/unknown.js'
import { listUsers } from '../../admin/user-details.js'
import { clientFields } from '../../oauth/client-fields.js'
import { endpoint, orNull, Page, pageOf, PAGE_SIZE, strict, Time, type Endpoint } from './endpoint.js'
import { showUsers, UserSummary } from './users.js'

/** For a logo in base64 and a set of keys. */
const BODY_LIMIT = 128 * 1_024

// `state` says it, and other endpoints change it.
const { disabled: _, ...fields } = ClientEntry.properties
const { clientId: _id, ...changeable } = fields

const { logo, ...written } = Type.Required(Type.Object(fields)).properties

const listed = {
  ...written,
  state: Type.Union([Type.Literal('enabled'), Type.Literal('disabled')]),
  registeredBy: Type.Union(['operator', 'token', 'open', 'document'].map(registrar => Type.Literal(registrar)), {
    description: '`operator`, or how it registered itself: with a registration `token`, without one (`open`), or by its metadata `document`.'
  }),
  demo: Type.Boolean({ description: 'Whether it is a demo client, for development.' }),
  logoName: orNull(Type.String({ description: 'Name of its logo, which changes when the logo does; `null` without a logo.' })),
  links: Type.Record(Type.String(), Type.String(), { description: 'Addresses of its pages, from its registration.' }),
  withoutPkceAt: orNull(Type.Unsafe<Date>({ ...Time, description: 'When it last used a code without PKCE, accurate to the hour.' })),
  usedAt: orNull(Type.Unsafe<Date>({
    ...Time, description: 'When a user last gave it access, accurate to the day. Only for self-registered clients.'
  })),
  createdAt: Time,
  disabledAt: orNull(Time)
}
const ClientSummary = Type.Object(listed, { title: 'ClientSummary' })
const Client = Type.Intersect([ClientSummary, Type.Object({ ...logo && { logo } })], { title: 'Client' })
const secret = Type.Optional(Type.String({ description: 'Its first secret, which no other response contains.' }))
const Written = Type.Intersect([Client, Type.Object({ secret })], { title: 'ClientWithSecret' })
const allowedScope = Type.Optional(Type.String({ description: clientFields.allowedScope.says }))

/** `/clients`. */
export const clients: readonly Endpoint[] = [
  endpoint('listClients', 'GET /clients', {
    says: 'List or find clients, without their logos',
    right: 'read',
    query: Type.Object({
      search: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the client_id or name.' })),
      state: Type.Optional(listed.state),
      selfRegistered: Type.Optional(Type.Boolean({ description: '`true`: only self-registered clients. `false`: only the others.' })),
      after: Type.Optional(Type.String({ description: 'Only clients after this client_id: `next` of the previous page.' })),
      ...Page
    }, strict),
    answer: pageOf(ClientSummary)
  }, async (stores, { query: { search, state, selfRegistered: isSelfRegistered, after, limit = PAGE_SIZE } }) => {
    const isDisabled = state === undefined ? undefined : state === 'disabled'
    const { clients, hasMore } = await listClients(stores, { search, isDisabled, isSelfRegistered, after, limit })
    return { items: clients, next: hasMore ? clients.at(-1)?.clientId ?? null : null }
  }),

  endpoint('addClient', 'POST /clients', {
    says: 'Register a client',
    right: 'manage',
    isSensitive: true,
    body: Type.Object(fields, strict),
    bodyLimit: BODY_LIMIT,
    answer: Written,
    status: 201,
    hasEtag: true
  }, async (stores, { body, config, by }) => {
    // as: the schema has checked it.
    const { client, secret } = await addClient(stores, body as unknown as ShortEntry, config.callbackSchemes, by)
    return { ...await findClientDetails(stores, client.id), secret }
  }),

  endpoint('readClient', 'GET /clients/:id', { says: 'Read a client', right: 'read', answer: Client, hasEtag: true },
    async (stores, { params }) => await findClientDetails(stores, params.id)),

  endpoint('updateClient', 'PATCH /clients/:id', {
    says: 'Change fields of a client',
    right: 'manage',
    isSensitive: true,
    body: Type.Partial(Type.Object(changeable), { ...strict, minProperties: 1 }),
    bodyLimit: BODY_LIMIT,
    answer: Written,
    hasEtag: true
  }, async (stores, { params, body, check, config, by }) => {
    // as: the schema has checked it.
    const change = body as ReturnType<EntryChange['change']>
    const options = { change: () => change, check: check as EntryChange['check'], schemes: config.callbackSchemes }
    const { secret } = await updateClient(stores, params.id, options, by)
    return { ...await findClientDetails(stores, params.id), secret }
  }),

  endpoint('removeClient', 'DELETE /clients/:id', {
    says: 'Permanently remove a client with its codes and tokens', right: 'manage', isSensitive: true
  }, async (stores, { params, by }) => { await removeClient(stores, params.id, by) }),

  ...([
    ['disable', 'Refuse all requests of a client, and revoke its tokens'], ['enable', 'Allow requests of a disabled client again']
  ] as const)
    .map(([verb, says]) => endpoint(`${verb}Client`, `POST /clients/:id/${verb}`, { says, right: 'manage', answer: Client, hasEtag: true },
      async (stores, { params, by }) => {
        await setClientDisabled(stores, params.id, verb === 'disable', by)
        return await findClientDetails(stores, params.id)
      })),

  endpoint('revokeClient', 'POST /clients/:id/revoke', { says: 'Revoke all codes and tokens of a client', right: 'manage' },
    async (stores, { params, by }) => { await revokeClient(stores, params.id, by) }),

  endpoint('adoptClient', 'POST /clients/:id/adopt', {
    says: 'Approve a client that registered itself',
    right: 'manage',
    isSensitive: true,
    body: Type.Object({ allowedScope }, strict),
    answer: Client,
    hasEtag: true
  }, async (stores, { params, body, by }) => {
    await adoptClient(stores, params.id, body.allowedScope, by)
    return await findClientDetails(stores, params.id)
  }),

  endpoint('setImplicit', 'PUT /clients/:id/implicit', {
    says: 'Set whether a client can use the implicit grant',
    right: 'manage',
    body: Type.Object({
      policy: Type.String({ description: `${clientFields.implicit.says}.` }),
      withCode: Type.Optional(Type.Boolean({ description: 'Whether to allow the authorization code grant as well. Default: false.' }))
    }, strict),
    answer: Client,
    hasEtag: true
  }, async (stores, { params, body: { policy, withCode = false }, by }) => {
    await setImplicit(stores, params.id, { policy, withCode }, by)
    return await findClientDetails(stores, params.id)
  }),

  endpoint('listClientUsers', 'GET /clients/:id/users', {
    says: 'List the users who gave a client access',
    right: 'read',
    query: Type.Object({ after: Type.Optional(Type.String({ description: 'Only users after this user name.' })), ...Page }, strict),
    answer: pageOf(UserSummary)
  }, async (stores, { params, query: { limit = PAGE_SIZE, ...query } }) => {
    const { id: clientId } = await findClient(stores, params.id)
    return showUsers(await listUsers(stores, { ...query, clientId, limit }))
  }),

  endpoint('checkCallback', 'GET /clients/:id/callback-check', {
    says: 'Compare a redirect URI with the callbacks of a client',
    right: 'read',
    query: Type.Object({ uri: Type.String({ maxLength: 2_000, description: 'The redirect_uri of a request.' }) }, strict),
    answer: Type.Object({
      matches: Type.Boolean({ description: 'Whether a request can use it.' }),
      nearest: orNull(Type.String({ description: 'The most similar callback of the client; `null` if the client has none.' })),
      difference: orNull(Type.String({ description: 'How it differs from `nearest`, such as `trailing slash`; `null` if it matches.' })),
      position: orNull(Type.Integer({ description: 'Index of the first character that differs; `null` if it matches.' })),
      fault: orNull(Type.String({ description: 'Why it cannot be registered; `null` if it can.' }))
    })
  }, async (stores, { params, query, config }) => {
    const { fault, ...check } = await checkCallback(stores, params.id, query.uri, config.callbackSchemes)
    return { ...check, fault: fault && fault.sentence }
  })
]
