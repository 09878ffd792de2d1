import type { readEvents } from '../../admin/audit.js'
import { showTime } from '../account/account-page.js'

/** An event of the audit trail for a page. */
export function showEvent ({ at, details, byUsername, ...row }: Awaited<ReturnType<typeof readEvents>>['items'][number]) {
  const { by, ...others } = details
  return {
    ...row,
    at: showTime(at),
    by: by === undefined ? undefined : byUsername ?? textOf(by),
    details: Object.entries(others).map(([name, value]) => ({ name, value: textOf(value) }))
  }
}

function textOf (value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
