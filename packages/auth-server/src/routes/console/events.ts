import type { readEvents } from '../../admin/audit.js'
import { showTime } from '../account/account-page.js'

/** An event of the audit trail for a page. */
export function showEvent ({ at, details, byUsername, ...row }: Awaited<ReturnType<typeof readEvents>>['items'][number]) {
  const { by, ...others } = details
  return {
    ...row,
    at: showTime(at),
    by: by === undefined ? undefined : byUsername ?? textOf(by),
    details: Object.entries(others).map(([name, value]) => ({ name, value: textOf(value) })).filter(({ value }) => value !== '')
  }
}

function textOf (value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every(it => typeof it === 'string') ? value.join(', ') : JSON.stringify(value)
}
