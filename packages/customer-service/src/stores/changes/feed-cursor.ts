import { randomBytes } from 'node:crypto'

/** A place in the change feed: a position, and the mark of the run that assigned it. Formatted as `42-8f3a9c21d04e`. */
export interface FeedCursor { readonly position: number, readonly mark: string }

const PATTERN = /^(0|[1-9][0-9]{0,14})-([0-9a-f]{12})$/

/** Creates a random mark. After a restored backup, positions are assigned again, with other marks. */
export function createMark (): string {
  return randomBytes(6).toString('hex')
}

/** Formats a cursor, which is opaque to readers. */
export function formatCursor ({ position, mark }: FeedCursor): string {
  return `${position}-${mark}`
}

/** Parses a cursor; `null` if it is invalid. */
export function parseCursor (text: string): FeedCursor | null {
  const [, position, mark] = PATTERN.exec(text) ?? []
  return position === undefined || mark === undefined ? null : { position: Number(position), mark }
}
