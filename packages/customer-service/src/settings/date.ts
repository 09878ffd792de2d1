/** A date, or a time as in RFC 3339. */
export const DATE = { pattern: '^\\d{4}-\\d\\d-\\d\\d(T\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d))?$' }

export const DATE_RULE = 'be a date such as 2027-01-31, or with a time such as 2027-01-31T00:00:00Z'

/** Whether a text of that form is a day that exists: JavaScript takes the 30th of February for the 2nd of March. */
export function isDate (value: string): boolean {
  const day = value.slice(0, 10)
  return !Number.isNaN(Date.parse(value)) && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day)
}
