import { stringify } from 'csv-stringify/sync'
import { escapeCell } from '../cells.js'

/** A customer of a file. */
interface Exported { customerid: number, customername: string, customerage: number, customeraddress: string }

/** How a file is written: what is before the customers, the customers of each page, and what is after the last one. */
export interface Format {
  /** Ending of its name. */
  ending: string
  start: string
  /** At least one customer. */
  write: (customers: readonly Exported[], isFirst: boolean) => string
  end: string
}

const COLUMNS = ['customerid', 'customername', 'customerage', 'customeraddress']

/** By media type; the first one is the default. `text/csv` is that of RFC 4180, with a header line. */
export const exportFormats: Record<string, Format> = {
  'text/csv': {
    ending: 'csv',
    start: `${COLUMNS.join(',')}\r\n`,
    // A single line break would not be quoted otherwise.
    write: customers =>
      stringify([...customers], { columns: COLUMNS, record_delimiter: '\r\n', quoted_match: /[\r\n]/, cast: { string: escapeCell } }),
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
