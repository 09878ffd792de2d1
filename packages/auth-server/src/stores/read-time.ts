/**
 * A time that a statement gives as text (`CAST(… AS TEXT)`), which is in UTC on both databases; `null` for NULL. PostgreSQL's
 * driver would take it for local time.
 */
export function readTime (text: string): Date
export function readTime (text: string | null): Date | null
export function readTime (text: string | null): Date | null {
  if (text === null) return null
  return new Date(text.includes('T') ? text : `${text.replace(' ', 'T')}Z`)
}
