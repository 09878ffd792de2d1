import type { readEvents } from '../../admin/audit.js'
import { message, type Text } from '../../languages/translator.js'
import { REQUIRED_ACR_WORDS } from '../../oauth/acr.js'

/** An event of the audit trail for a page. */
export function showEvent ({ at, details, byUsername, ...row }: Awaited<ReturnType<typeof readEvents>>['items'][number]) {
  const { by, before, after, ...others } = details
  return {
    ...row,
    at,
    by: by === undefined ? undefined : byUsername ?? textOf(by),
    details: Object.entries(others).map(([name, value]) => ({ name, values: [wordsOf(name, value)] })).filter(({ values }) => values[0] !== ''),
    changes: changesOf(before, after)
  }
}

/** The changed fields of a client: the values before and after. */
function changesOf (before: unknown, after: unknown) {
  const values = new Map<string, unknown>(Object.entries(after ?? {}))
  const show = (name: string, value: unknown) => wordsOf(name, value ?? '') || message('console.none')
  return Object.entries(before ?? {}).map(([name, value]) => ({ name, values: [show(name, value), show(name, values.get(name))] }))
}

/** The value of a detail. */
function wordsOf (name: string, value: unknown): Text {
  const words: Readonly<Record<string, Text>> = name === 'requiredAcr' ? REQUIRED_ACR_WORDS : {}
  const text = textOf(value ?? '')
  return words[text] ?? text
}

function textOf (value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) && value.every(it => typeof it === 'string') ? value.join(', ') : JSON.stringify(value)
}
