import type { readEvents } from '../../admin/audit.js'
import { showTime } from '../account/account-page.js'

/** An event of the audit trail for a page. */
export function showEvent ({ at, details, byUsername, ...row }: Awaited<ReturnType<typeof readEvents>>['items'][number]) {
  const { by, before, after, ...others } = details
  return {
    ...row,
    at: showTime(at),
    by: by === undefined ? undefined : byUsername ?? textOf(by),
    details: Object.entries(others).map(([name, value]) => ({ name, value: textOf(value) })).filter(({ value }) => value !== ''),
    changes: changesOf(before, after)
  }
}

/** The changed fields of a client: the values before and after. */
function changesOf (before: unknown, after: unknown) {
  const values = new Map<string, unknown>(Object.entries(after ?? {}))
  const show = (value: unknown) => textOf(value ?? '') || 'none'
  return Object.entries(before ?? {}).map(([name, value]) => ({ name, value: `${show(value)} → ${show(values.get(name))}` }))
}

function textOf (value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every(it => typeof it === 'string') ? value.join(', ') : JSON.stringify(value)
}
