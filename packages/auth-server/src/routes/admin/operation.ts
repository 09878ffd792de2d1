import { Type } from '@sinclair/typebox'
import { checkHealth } from '../../admin/health.js'
import { reportPage } from '../../admin/implicit-report.js'
import { readMailState, sendTestMail } from '../../admin/mail.js'
import { forbidden } from '../../admin/refusal.js'
import { Event } from './audit.js'
import { endpoint, orNull, Page, pageOf, PAGE_SIZE, strict, Time, type Endpoint } from './endpoint.js'

const oneOf = (...values: string[]) => Type.Union(values.map(value => Type.Literal(value)))

const Report = Type.Object({
  clientId: Type.String(),
  name: Type.String(),
  policy: Type.String({ description: '`allowed`, `warn`, `until` and a date, or `off`.' }),
  disabled: Type.Boolean(),
  firstUse: orNull(Time),
  lastUse: orNull(Time),
  weeks: Type.Array(Type.Object({ week: Type.String(), uses: Type.Integer() }), {
    description: 'Tokens that it got with the implicit grant, per week.'
  }),
  callbacks: Type.Array(Type.String()),
  canMove: Type.Boolean({ description: 'Whether it can move to the code grant with PKCE.' }),
  obstacles: Type.Array(Type.String(), { description: 'Why it cannot move.' }),
  hasCode: Type.Boolean({ description: 'Whether it can use the code grant.' }),
  command: orNull(Type.String({ description: 'The next command of the migration; `null`: none is needed.' }))
}, { title: 'ImplicitReport' })

const Finding = Type.Object({
  check: Type.String({ description: 'Name of the check.' }),
  state: oneOf('ok', 'warning', 'wrong', 'unchecked'),
  sentence: Type.String(),
  remedy: Type.Optional(Type.String())
})

const Mailed = Type.Object({ mailedTo: Type.String({ description: 'Address of the recipient.' }) })

const Setting = Type.Object({
  name: Type.String({ description: 'The environment variable.' }),
  description: Type.String(),
  value: orNull(Type.String({ description: 'Its value, with secrets masked.' })),
  source: oneOf('environment', 'file', 'default'),
  file: orNull(Type.String({ description: 'The file that sets it.' }))
})

/** `/implicit-report`, `/mail`, `/health` and `/settings`. */
export const operation: readonly Endpoint[] = [
  endpoint('reportImplicit', 'GET /implicit-report', {
    says: 'Report how clients use the implicit grant, and whether they can move to the code grant',
    right: 'read',
    query: Type.Object({
      all: Type.Optional(Type.Boolean({
        description: 'Whether to include clients that have never used the implicit grant and cannot use it. Default: false.'
      })),
      after: Type.Optional(Type.String({ description: 'Only clients after this `clientId`: `next` of the previous page.' })),
      ...Page
    }, strict),
    answer: pageOf(Report)
  }, async (stores, { query: { all = false, after, limit = PAGE_SIZE }, config }) => {
    const { reports, hasMore } = await reportPage(stores, { all, after, limit }, config.callbackSchemes)
    return { items: reports, next: hasMore ? reports.at(-1)?.clientId : null }
  }),

  endpoint('readMailState', 'GET /mail', {
    says: 'Read whether email works, and which emails of the last day were not sent',
    right: 'read',
    answer: Type.Object({
      server: orNull(Type.String({ description: 'Mail server, with its port; `null`: no email is sent.' })),
      from: orNull(Type.String({ description: 'Sender.' })),
      lastDay: Type.Object({ sent: Type.Integer(), failed: Type.Integer() }, {
        description: 'Password links requested with "Forgot your password?" in the last day, counting only the newest 10,000.'
      }),
      failures: Type.Array(Event, { description: 'Emails that were not sent, newest first, at most 20.' })
    })
  }, async (stores, { config }) => await readMailState(stores, config)),

  endpoint('testMail', 'POST /mail/test', {
    says: 'Send a test email to your own verified email address',
    right: 'manage',
    isSensitive: true,
    answer: Mailed
  }, async (stores, { config, by }) => {
    if (by.kind !== 'user') throw forbidden('mail', 'Test emails go to the calling user. A client has no email address.')
    return await sendTestMail(stores, { id: by.userId }, config, by)
  }),

  endpoint('testMailOfUser', 'POST /users/:id/test-mail', {
    says: 'Send a test email to a user\'s verified email address', right: 'manage', isSensitive: true, answer: Mailed
  }, async (stores, { params, config, by }) => await sendTestMail(stores, params, config, by)),

  endpoint('checkHealth', 'GET /health', {
    says: 'Check the database, clock, keys and settings of the server, without calling other servers',
    right: 'read',
    answer: Type.Object({ status: oneOf('ok', 'warning', 'wrong'), findings: Type.Array(Finding) })
  }, async (stores, { config }) => await checkHealth(stores, config)),

  endpoint('listSettings', 'GET /settings', {
    says: 'List the settings that the server uses, with secrets masked', right: 'read', answer: Type.Object({ items: Type.Array(Setting) })
  }, async (_, { config }) => ({ items: config.settings }))
]
