import { parseWhole } from './xml.js'

/** How numbers of a style are shown: as a date, with a minimum of digits and no decimals, or as they are. */
export type NumberFormat = 'date' | 'general' | { readonly digits: number }

/** Maximum styles: as many as Excel allows. */
const MAX_STYLES = 65_490

/** Numbers of formats that need no code: dates and times, and whole numbers. */
const isDateId = (id: number) => (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) || (id >= 50 && id <= 58)
const isWholeId = (id: number) => id === 1 || id === 3

const DAY_MS = 86_400_000
/** Days from the first day of each calendar to 1970. */
const DAYS_TO_1970 = { 1900: 25_569, 1904: 24_107 } as const

/** Reads the formats of the styles of cells. @throws UnreadableFile */
export async function readFormats (document: AsyncIterable<Buffer>): Promise<NumberFormat[]> {
  const codes = new Map<string, string>()
  const formats: NumberFormat[] = []
  let isOfCells = false
  await parseWhole(document, {
    open: (name, { numFmtId = '0', formatCode = '' }) => {
      if (name === 'cellXfs') isOfCells = true
      if (name === 'numFmt' && codes.size < MAX_STYLES) codes.set(numFmtId, formatCode.slice(0, 255))
      if (name === 'xf' && isOfCells && formats.length < MAX_STYLES) formats.push(toFormat(Number(numFmtId), codes.get(numFmtId)))
    },
    close: name => { if (name === 'cellXfs') isOfCells = false }
  })
  return formats
}

function toFormat (id: number, code: string | undefined): NumberFormat {
  if (code === undefined) return isDateId(id) ? 'date' : isWholeId(id) ? { digits: 1 } : 'general'
  // Without texts, colours and conditions.
  const [bare = ''] = code.replace(/"[^"]*"|\\.|\[(?!h+\]|m+\]|s+\])[^\]]*\]/gi, '').split(';')
  if (/[ymdhs]/i.test(bare)) return 'date'
  return /^[#,0]*0$/.test(bare) ? { digits: bare.replace(/[^0]/g, '').length } : 'general'
}

/** Writes a number as it is shown, apart from separators; dates as in 2026-11-29. @param calendar begins in 1900 or 1904 */
export function formatNumber (text: string, format: NumberFormat, calendar: keyof typeof DAYS_TO_1970): string {
  const number = Number(text)
  if (text.trim() === '' || !Number.isFinite(number)) return text
  if (format === 'date') return formatDate(number, calendar) ?? text
  // Without what binary fractions add: 32.999999999999996.
  if (format === 'general') return String(Number(number.toPrecision(15)))
  const digits = Math.abs(number).toFixed(0).padStart(format.digits, '0')
  return number < 0 ? `-${digits}` : digits
}

function formatDate (days: number, calendar: keyof typeof DAYS_TO_1970): string | undefined {
  // Excel's calendar has a 29th of February 1900.
  const counted = calendar === 1900 && days < 60 && days >= 1 ? days + 1 : days
  const date = new Date(Math.round((counted - DAYS_TO_1970[calendar]) * DAY_MS / 1_000) * 1_000)
  if (days < 0 || Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9_999) return undefined
  const [day = '', time = ''] = date.toISOString().split(/[T.]/)
  if (days < 1) return time
  return time === '00:00:00' ? day : `${day} ${time}`
}
