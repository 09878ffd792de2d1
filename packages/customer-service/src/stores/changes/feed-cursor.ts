import { randomBytes } from 'node:crypto'

/** A place in the change feed: a position, and the mark of the run that assigned it. Written as `42-8f3a9c21d04e`. */
export interface FeedCursor { readonly position: number, readonly mark: string }

const PATTERN = /^(0|[1-9][0-9]{0,14})-([0-9a-f]{12})$/

/** A random mark: after a restore, positions are assigned again, by runs with other marks. */
export function createMark (): string {
  return randomBytes(6).toString('hex')
}

/** Writes a cursor for readers, for whom it is opaque. */
export function formatCursor ({ position, mark }: FeedCursor): string {
  return `${position}-${mark}`
}

/** Parses a cursor; `null` if it is none. */
export function parseCursor (text: string): FeedCursor | null {
  const [, position, mark] = PATTERN.exec(text) ?? []
  return position === undefined || mark === undefined ? null : { position: Number(position), mark }
}
