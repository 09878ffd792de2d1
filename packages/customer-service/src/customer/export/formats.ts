import type { Customer } from '@frontdesk/schemas/customer'
import { escapeCell } from '@frontdesk/service-kit/spreadsheet-cell'
import { stringify } from 'csv-stringify/sync'
import { fieldNames } from '../fields.js'

/** How to write a file. */
export interface Format {
  /** File name extension. */
  ending: string
  start: string
  /** Writes a page of at least one customer. */
  write: (customers: readonly Customer[], isFirst: boolean) => string
  end: string
}

/** By media type; the first one is the default. CSV is that of RFC 4180, with a header line. */
export const exportFormats: Record<string, Format> = {
  'text/csv': {
    ending: 'csv',
    start: `${fieldNames.join(',')}\r\n`,
    // `quoted_match`: otherwise, a lone CR or LF would not be quoted.
    write: customers =>
      stringify([...customers], { columns: fieldNames, record_delimiter: '\r\n', quoted_match: /[\r\n]/, cast: { string: escapeCell } }),
    end: ''
  },
  'application/x-ndjson': {
    ending: 'ndjson',
    start: '',
    write: customers => customers.map(customer => `${JSON.stringify(customer)}\n`).join(''),
    end: ''
  },
  'application/json': {
    ending: 'json',
    start: '[',
    write: (customers, isFirst) => `${isFirst ? '' : ','}\n${customers.map(customer => JSON.stringify(customer)).join(',\n')}`,
    end: '\n]\n'
  }
}
