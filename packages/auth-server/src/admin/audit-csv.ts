import { escapeCell } from '@frontdesk/service-kit/spreadsheet-cell'
import type { NamedEvent } from './audit.js'

/** The columns, and how to read each from an event. */
const COLUMNS: Readonly<Record<string, (event: NamedEvent) => string | null>> = {
  id: ({ id }) => id,
  at: ({ at }) => at.toISOString(),
  event: ({ event }) => event,
  outcome: ({ outcome }) => outcome,
  user_id: ({ userId }) => userId,
  username: ({ username }) => username,
  by: ({ details: { by } }) => typeof by === 'string' ? by : null,
  by_username: ({ byUsername }) => byUsername,
  client_id: ({ clientId }) => clientId,
  source: ({ source }) => source,
  reference: ({ requestId }) => requestId,
  details: ({ details }) => JSON.stringify(details)
}

/** Events as CSV (RFC 4180) with a header line. Cells are escaped so that spreadsheets do not run them as formulas. */
export async function * csvOf (events: AsyncIterable<NamedEvent>): AsyncGenerator<string> {
  yield `${Object.keys(COLUMNS).join(',')}\r\n`
  for await (const event of events) {
    yield `${Object.values(COLUMNS).map(valueOf => cellOf(valueOf(event) ?? '')).join(',')}\r\n`
  }
}

function cellOf (value: string): string {
  return value === '' ? '' : `"${escapeCell(value).replaceAll('"', '""')}"`
}
