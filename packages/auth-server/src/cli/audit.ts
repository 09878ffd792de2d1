import { command, noun } from '@frontdesk/service-kit/cli/command'
import { UsageError } from '@frontdesk/service-kit/cli/errors'
import { wholeNumber } from '@frontdesk/service-kit/cli/option'
import { list } from '@frontdesk/service-kit/cli/table'
import { listEvents } from '../admin/audit.js'
import { NOT_RECORDED } from '../admin/audit-story.js'
import { operation } from '../languages/en/console/operation.js'
import { REQUEST_EVENTS } from '../stores/operation/audit.js'
import type { AuditRow } from '../stores/operation/audit-row.js'
import { verify } from './audit-verify.js'
import { readStores } from './with-stores.js'

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const MAX_LIMIT = 10_000

type RemoteEvent = AuditRow & { readonly username: string | null, readonly byUsername: string | null }

const HEAD = ['TIME', 'EVENT', 'OUTCOME', 'CLIENT', 'USER', 'SOURCE', 'REFERENCE', 'DETAILS']

const all = command('list', {
  says: 'List events, newest first.',
  options: {
    '--since <time>': { says: 'a period such as 30m, 12h or 7d, or a time such as 2030-01-31T12:00Z', parse: since },
    '--until <time>': { says: 'only events before a time such as 2030-01-31T12:00Z', parse: time },
    '--user <name>': 'events of a user: the user name, or the id ("sub" of access tokens)',
    '--client <client_id>': 'events of a client',
    '--event <event>': `only ${REQUEST_EVENTS.join(', ')}, or a command such as "client add"`,
    '--outcome <outcome>': 'only events with this outcome, such as wrong or throttled',
    '--source <address>': 'only events from this address or network, as SOURCE shows it',
    '--reference <request_id>': 'the reference on an error page',
    '--before <id>': 'events before a row: the last "id" of --json',
    '--limit <rows>': { says: `number of rows, 1 to ${MAX_LIMIT}`, parse: wholeNumber(MAX_LIMIT), default: 50 }
  },
  json: 'events with all fields',
  run: async query => await readStores(async stores => await listEvents(stores, query)),
  async remote (api, { since, until, json, ...query }) {
    const times = { since: since?.(new Date()).toISOString(), until: until?.toISOString() }
    const { items } = await api.list<RemoteEvent>('/audit', { ...query, ...times }, 'before')
    const names = items.flatMap(({ userId, username, details: { by }, byUsername }) => [[userId, username], [by, byUsername]])
    return {
      rows: items.map(({ username, byUsername, ...row }) => row),
      // as: a user has both.
      names: new Map(names.filter((it): it is [string, string] => typeof it[0] === 'string' && typeof it[1] === 'string'))
    }
  },
  text: ({ rows, names }, query) => rows.length === 0 ? noEvents(query) : list(HEAD, rows.map(row => cellsOf(row, names))),
  fields: ({ rows }) => rows,
  note: ({ rows }, { limit }) => rows.length < limit
    ? undefined
    : `There may be more: frontdesk-auth audit list … --before ${rows.at(-1)?.id}`
})

/** The audit trail. */
export const audit = noun('audit', 'Read and verify the audit trail: sign-ins, refusals, grants, administration.', [all, verify])

function noEvents ({ reference }: { readonly reference?: string | undefined }): string {
  if (reference === undefined) return 'No events were found.'
  return ['Not recorded: no matching event has this reference. Possible reasons:', ...NOT_RECORDED.map(why => `- ${operation[why]}`)].join('\n')
}

function cellsOf (
  { at, event, outcome, clientId, userId, source, requestId, details }: AuditRow, names: ReadonlyMap<string, string>
): string[] {
  const user = userId && (names.get(userId) ?? userId)
  const cells = [at.toISOString(), event, outcome, clientId, user, source, requestId].map(it => it ?? '-')
  return [...cells, Object.keys(details).length === 0 ? '' : JSON.stringify(details)]
}

function since (text: string): (now: Date) => Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now => new Date(now.getTime() - Number(count) * UNITS[unit]!)
  const at = time(text, '30m, 12h, 7d or 2030-01-31T12:00Z')
  return () => at
}

function time (text: string, examples = '2030-01-31T12:00Z'): Date {
  const time = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : '')
  if (Number.isNaN(time.getTime())) throw new UsageError(`Give a time such as ${examples}.`)
  return time
}
