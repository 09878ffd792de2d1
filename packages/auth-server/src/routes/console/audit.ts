import { exportEvents, MAX_EXPORTED, readEvents } from '../../admin/audit.js'
import { csvOf } from '../../admin/audit-csv.js'
import { NOT_RECORDED, readStory } from '../../admin/audit-story.js'
import { Refusal } from '../../admin/refusal.js'
import { message } from '../../languages/translator.js'
import { single } from '../../oauth/parameters.js'
import { JSON_LINES, linesOf } from '../admin/endpoint.js'
import { download, page, type Visit } from './define.js'
import { showEvent } from './events.js'
import { queryWith } from './words.js'
import { explain } from './refusal.js'

/** Events on a page. */
const PAGE_SIZE = 50

/** The filters, which are in the address. */
const FILTERS = [
  { name: 'reference', label: 'console.audit.reference-filter' },
  { name: 'user', label: 'console.audit.user-filter' },
  { name: 'client', label: 'console.apps.client-id' },
  { name: 'event', label: 'console.audit.event', hint: 'console.audit.event-hint' },
  { name: 'outcome', label: 'console.audit.outcome', hint: 'console.audit.outcome-hint' },
  { name: 'source', label: 'console.audit.source' },
  { name: 'since', label: 'console.audit.since', hint: 'console.audit.since-hint' },
  { name: 'until', label: 'console.audit.until' }
] as const

/** The form of a cursor: the id of an event. */
const CURSOR = /^[0-9a-f-]{36}$/

/** The audit trail, newest event first. */
export const audit = page('/audit', { section: 'audit' }, async visit => {
  const given = filtersOf(visit)
  const before = single(visit.query, 'before')
  const { items, next, fault } = await read(visit, given, before !== undefined && CURSOR.test(before) ? before : undefined)
  const { reference, ...others } = given
  const isReference = reference !== undefined && Object.values(others).every(value => value === undefined)
  return {
    view: 'audit',
    title: message('console.navigation.audit'),
    data: {
      filters: FILTERS.map(filter => ({ hint: undefined, ...filter, value: given[filter.name] ?? '' })),
      isFiltered: Object.values(given).some(value => value !== undefined),
      fault,
      events: items.map(showEvent),
      noEvents: 'console.audit.no-match',
      // Requests have a reference even if they have no events.
      notRecorded: isReference && fault === undefined && items.length === 0 && before === undefined ? NOT_RECORDED : undefined,
      isFirst: before === undefined,
      first: queryWith(given),
      next: next === null ? undefined : queryWith({ ...given, before: next }),
      maxExported: MAX_EXPORTED,
      formats: FORMATS.map(({ name, ending }) => ({ name, ending }))
    }
  }
})

/** An event, and all events of its request, in order. */
export const event = page('/audit/:id', { section: 'audit' }, async ({ stores, params: { id } }) => {
  const { event, events, hasMore } = await readStory(stores, id)
  return {
    view: 'event',
    title: message('console.audit.event'),
    data: { event: { ...showEvent(event), id, exact: event.at.toISOString() }, events: events.map(showEvent), hasMore, isStory: true }
  }
})

/** The formats of an export. */
const FORMATS = [
  { name: 'JSON Lines', ending: 'jsonl', mediaType: JSON_LINES, write: linesOf },
  { name: 'CSV', ending: 'csv', mediaType: 'text/csv; charset=utf-8', write: csvOf }
] as const

/** Exports of the filtered events, newest first. */
export const auditExports = FORMATS.map(({ ending, mediaType, write }) =>
  download(`/audit/export.${ending}`, { page: audit }, async visit => {
    const query = queryOf(filtersOf(visit))
    if (query === null) return null
    const events = await exportEvents(visit.stores, query)
    return { name: `audit-${visit.now.toISOString().slice(0, 10)}.${ending}`, mediaType, content: write(events) }
  }))

type Given = Readonly<Record<string, string | undefined>>

/** The filters in the address. */
function filtersOf ({ query }: Pick<Visit, 'query'>): Given {
  return Object.fromEntries(FILTERS.map(({ name }) => [name, single(query, name)?.trim().slice(0, 300) || undefined]))
}

/** The query for filters; `null` if a time is invalid. */
function queryOf ({ since, until, ...filter }: Given) {
  const [from, to] = [since, until].map(timeOf)
  return from === null || to === null ? null : { ...filter, since: from && (() => from), until: to }
}

/** Reads a page of events. If a filter is invalid, returns no events and the reason. */
async function read ({ stores }: Pick<Visit, 'stores'>, given: Given, before: string | undefined) {
  const none = { items: [], next: null }
  const query = queryOf(given)
  if (query === null) return { ...none, fault: message('console.audit.fault-time') }
  try {
    return { ...await readEvents(stores, { ...query, before, limit: PAGE_SIZE }), fault: undefined }
  } catch (error) {
    // !: a refusal has a fault.
    if (error instanceof Refusal) return { ...none, fault: explain(error.faults[0]!) }
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
