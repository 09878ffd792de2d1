import { readEvents } from '../../admin/audit.js'
import { Refusal } from '../../admin/refusal.js'
import { single } from '../../oauth/parameters.js'
import { page, type Visit } from './define.js'
import { showEvent } from './events.js'
import { queryWith } from './words.js'

/** Events on a page. */
const PAGE_SIZE = 50

/** The filters, which are in the address. */
const FILTERS = [
  { name: 'reference', label: 'Reference from an error page' },
  { name: 'user', label: 'User name or id' },
  { name: 'client', label: 'client_id' },
  { name: 'event', label: 'Event', hint: 'Such as sign-in, refusal or client add.' },
  { name: 'outcome', label: 'Outcome', hint: 'Such as wrong or done.' },
  { name: 'source', label: 'Address or network' },
  { name: 'since', label: 'Since', hint: 'In UTC, such as 2030-01-31 or 2030-01-31T12:00.' },
  { name: 'until', label: 'Until' }
] as const

/** The form of a cursor: the id of an event. */
const CURSOR = /^[0-9a-f-]{36}$/

/** The audit trail, newest event first. */
export const audit = page('/audit', { section: 'audit' }, async visit => {
  const given = Object.fromEntries(FILTERS.map(({ name }) => [name, single(visit.query, name)?.trim().slice(0, 300) || undefined]))
  const before = single(visit.query, 'before')
  const { items, next, fault } = await read(visit, given, before !== undefined && CURSOR.test(before) ? before : undefined)
  return {
    view: 'audit',
    title: 'Audit',
    data: {
      filters: FILTERS.map(filter => ({ hint: undefined, ...filter, value: given[filter.name] ?? '' })),
      isFiltered: Object.values(given).some(value => value !== undefined),
      fault,
      events: items.map(showEvent),
      noEvents: given.reference === undefined
        ? 'No events match.'
        : 'Nothing is recorded for this reference. Events are removed after some time.',
      isFirst: before === undefined,
      first: queryWith(given),
      next: next === null ? undefined : queryWith({ ...given, before: next })
    }
  }
})

/** Reads a page of events. If a filter is invalid, returns no events and the reason. */
async function read (
  { stores }: Pick<Visit, 'stores'>,
  { since, until, ...filter }: Readonly<Record<string, string | undefined>>,
  before: string | undefined
) {
  const none = { items: [], next: null }
  const [from, to] = [since, until].map(timeOf)
  if (from === null || to === null) return { ...none, fault: 'Since and until must be times in UTC, such as 2030-01-31.' }
  try {
    const found = await readEvents(stores, { ...filter, since: from && (() => from), until: to, before, limit: PAGE_SIZE })
    return { ...found, fault: undefined }
  } catch (error) {
    if (error instanceof Refusal) return { ...none, fault: error.message }
    throw error
  }
}

/** Parses a typed time in UTC; `null` if it is invalid. */
function timeOf (text: string | undefined): Date | null | undefined {
  if (text === undefined) return undefined
  const [, day, time = '00:00'] = /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d)?))?Z?$/.exec(text) ?? []
  const date = new Date(`${day}T${time}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}
