import { MAX_COUNTED } from '../stores/access/bounded-count.js'

/** A bounded count: `10,000+`. */
export function countOf (count: number): string {
  return count > MAX_COUNTED ? `${MAX_COUNTED.toLocaleString('en')}+` : count.toLocaleString('en')
}

/** A bounded count with its noun: `1 app`, `10,000+ apps`. */
export function numbered (count: number, noun: string): string {
  return `${countOf(count)} ${noun}${count === 1 ? '' : 's'}`
}
