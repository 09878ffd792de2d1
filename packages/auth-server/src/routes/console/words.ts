import type { DescribedKey } from '../../admin/keys.js'
import type { MessageKey } from '../../languages/languages.js'
import { message, type Message, type Text } from '../../languages/translator.js'
import { isBuiltIn } from '../../oauth/admin-scopes.js'
import { MAX_COUNTED } from '../../stores/access/bounded-count.js'
import type { Role } from '../../stores/access/roles.js'

/** What a role is for, in words. */
export function aboutRole ({ name, scopes }: Role): Text {
  return isBuiltIn(name) ? message(`console.role.${name}`) : scopes.join(' ')
}

/** What a key signs. */
export function wordsOfSigned (signs: DescribedKey['signs']): MessageKey {
  return signs === 'ID tokens' ? 'console.keys.signs-id-tokens' : 'console.keys.signs-access-tokens'
}

/** The values of a message with a bounded count: `10,000+`. */
export function boundedCount (count: number) {
  return { count: Math.min(count, MAX_COUNTED), more: count > MAX_COUNTED ? '+' : '' }
}

/** How much of a list a page shows. @param all `undefined`: not counted */
export function shownOf (shown: number, all: number | undefined): Message {
  return all === undefined
    ? message('console.shown-more', { shown })
    : message('console.shown-first', { shown, all: message('console.count', boundedCount(all)) })
}

/** A policy for the implicit grant, see `parsePolicy`. */
export function wordsOfPolicy (text: string): Message {
  const [policy = '', date = ''] = text.split(' ')
  return message('console.implicit.policy', { policy, date })
}

/** The query of an address, without missing values. */
export function queryWith (values: Readonly<Record<string, string | undefined>>): string {
  const given = new URLSearchParams()
  for (const [name, value = ''] of Object.entries(values)) if (value !== '') given.set(name, value)
  return `?${given}`
}
