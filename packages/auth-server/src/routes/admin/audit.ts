import { Type } from '@sinclair/typebox'
import { exportEvents, readEvents } from '../../admin/audit.js'
import { verifySeals } from '../../admin/audit-verify.js'
import { invalid } from '../../admin/refusal.js'
import { endpoint, orNull, Page, PAGE_SIZE, pageOf, strict, Time, type Endpoint } from './endpoint.js'

/** An event of the audit trail. */
export const Event = Type.Object({
  id: Type.String({ description: 'Identifier, which sorts by time.' }),
  at: Time,
  event: Type.String({ description: 'What happened, such as `sign-in`, or the action of an operator, such as `client add`.' }),
  outcome: Type.String({ description: 'Such as `signed in`, `wrong` or `done`.' }),
  userId: orNull(Type.String({ description: 'User that the event concerns.' })),
  username: orNull(Type.String({ description: 'Their user name; `null` if they were removed.' })),
  byUsername: orNull(Type.String({ description: 'User name of the operator in `details.by`, if the operator is a user.' })),
  clientId: orNull(Type.String()),
  source: orNull(Type.String({ description: 'Address or network that the request came from; `cli` for a command.' })),
  requestId: orNull(Type.String({ description: 'Reference shown on an error page.' })),
  details: Type.Record(Type.String(), Type.Unknown())
}, { title: 'Event' })

const VerifiedSeal = Type.Object({
  seal: Type.Integer({ description: 'Number of the seal.' }),
  sealedAt: orNull(Time),
  rows: Type.Integer({ description: 'Number of events that the seal covered when it was created.' }),
  removed: Type.Integer({ description: 'Number of these events that the server has since removed.' }),
  fault: orNull(Type.String({ description: 'Why the seal fails, in one sentence; `null` if it is valid.' }))
})

const TIME = '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(:\\d\\d(\\.\\d{1,3})?)?(Z|[+-]\\d\\d:\\d\\d)$'
const Moment = (description: string) =>
  Type.Optional(Type.String({ pattern: TIME, description: `${description} Such as \`2030-01-31T12:00Z\`.` }))
const Filter = (description: string) => Type.Optional(Type.String({ maxLength: 300, description }))

const filters = {
  user: Filter('Only events of this user, by user name or id. The id also finds a removed user.'),
  client: Filter('Only events of this client.'),
  event: Filter('Only these events, such as `sign-in` or `client add`.'),
  outcome: Filter('Only events with this outcome, such as `wrong`.'),
  source: Filter('Only events from this address or network.'),
  reference: Filter('Only events of the request with this reference, as shown on an error page.'),
  since: Moment('Only events at or after this time.'),
  until: Moment('Only events before this time.'),
  before: Type.Optional(Type.String({ pattern: '^[0-9a-f-]{36}$', description: 'Only events before the one with this `id`.' }))
}

/** `/audit`. */
export const audit: readonly Endpoint[] = [
  endpoint('listEvents', 'GET /audit', {
    says: 'List or find events, newest first',
    right: 'read',
    query: Type.Object({ ...filters, ...Page }, strict),
    answer: Type.Object({
      items: Type.Array(Event),
      next: orNull(Type.String({
        description: 'Value of `before` for the next page; `null` on the last page. A page can have few items, or none, even if another one follows.'
      }))
    })
  }, async (stores, { query: { limit = PAGE_SIZE, ...query } }) => await readEvents(stores, { ...query, ...timesOf(query), limit })),

  endpoint('verifySeals', 'GET /audit/seals', {
    says: 'Verify the seals of the audit trail, oldest first',
    right: 'read',
    query: Type.Object({
      after: Type.Optional(Type.String({ pattern: '^\\d{1,9}$', description: 'Only seals after the seal with this number.' })), ...Page
    }, strict),
    answer: pageOf(VerifiedSeal)
  }, async (stores, { query: { after = '0', limit = PAGE_SIZE }, config }) =>
    await verifySeals(stores, config, { after: Number(after), limit })),

  endpoint('exportEvents', 'GET /audit/export', {
    says: 'Export up to 100,000 events as JSON Lines, newest first',
    right: 'read',
    query: Type.Object(filters, strict),
    answer: Event,
    isStream: true
  }, async (stores, { query }) => await exportEvents(stores, { ...query, ...timesOf(query) }))
]

/** @throws Refusal */
function timesOf ({ since, until }: { readonly since?: string, readonly until?: string }) {
  const from = readTime('since', since)
  return { since: from && (() => from), until: readTime('until', until) }
}

/** @throws Refusal */
function readTime (field: string, text: string | undefined): Date | undefined {
  if (text === undefined) return undefined
  const time = new Date(text)
  if (Number.isNaN(time.getTime())) throw invalid(field, `${field}: There is no such time.`)
  return time
}
