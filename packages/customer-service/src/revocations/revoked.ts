import type { RevocationEntry } from '@frontdesk/schemas/revocations'
import { hash, randomBytes } from 'node:crypto'
import { ALL, Generation } from './generation.js'

/** Maximum entries: about 90 MB. */
export const MAX_ENTRIES = 4_000_000
/** Maximum entries of a generation: three quarters of 2^18 slots. */
const MAX_GENERATION = 196_608
/** Minimum generations of a full list: one is dropped at a time. */
const MIN_GENERATIONS = 16

/** An entry of the feed. It revokes only tokens issued before `newest`, in seconds since 1970. */
type TimedEntry = RevocationEntry & { readonly newest: number }

/** Fingerprints of ids, two 32-bit numbers each. */
export type Fingerprints = Uint32Array

/** The read that found an entry: of new entries, or of the whole feed, which begins with the oldest. */
export type Source = 'new' | 'full'

/** What is revoked, by 8-byte fingerprints of ids, in generations. Drops the oldest generation when there are too many entries. */
export class Revoked {
  /** Secret, so that the authorization server cannot choose ids whose fingerprints collide. */
  readonly #key = randomBytes(16).toString('base64')
  readonly #capacity: number
  readonly #perGeneration: number
  #generations: Generation[] = []
  readonly #open = new Map<Source, Generation>()
  #droppedUntil = -Infinity

  constructor (capacity = MAX_ENTRIES) {
    this.#capacity = capacity
    this.#perGeneration = Math.min(MAX_GENERATION, Math.ceil(capacity / MIN_GENERATIONS))
  }

  get size (): number {
    return this.#generations.reduce((sum, { size }) => sum + size, 0)
  }

  /** Dropped entries may have revoked tokens issued before this time, in seconds since 1970; `-Infinity`: none were dropped. */
  get droppedUntil (): number {
    return this.#droppedUntil
  }

  /** Makes the fingerprints for {@link has}. */
  fingerprints (ids: readonly string[]): Fingerprints {
    const made = new Uint32Array(ids.length * 2)
    for (const [index, id] of ids.entries()) {
      // In hexadecimal: a Buffer takes twice the time.
      const digest = hash('sha256', this.#key + id, 'hex')
      made[index * 2] = Number.parseInt(digest.slice(0, 8), 16)
      // Zero marks an empty slot.
      made[index * 2 + 1] = Number.parseInt(digest.slice(8, 16), 16) || 1
    }
    return made
  }

  /** Adds an entry, unless another one covers it, or it is as old as the dropped ones. */
  add ({ id, ends, before = ALL, newest }: TimedEntry, source: Source = 'new'): void {
    if (newest <= this.#droppedUntil) return
    const [high, low] = this.fingerprints([id]) as unknown as [number, number] // as: two numbers for an id.
    const times = [bounded(ends), bounded(before)] as const
    if (this.#generations.some(generation => generation.covers(high, low, ...times))) return
    const generation = this.#makeRoom(source)
    generation.add(high, low, ...times)
    generation.newest = Math.max(generation.newest, newest)
  }

  /** Whether an entry revokes a token. @param iat when the token was issued, in seconds since 1970 */
  has (fingerprints: Fingerprints, iat: number): boolean {
    for (const generation of this.#generations) {
      for (let at = 0; at < fingerprints.length; at += 2) {
        // as: within the array.
        if (generation.has(fingerprints[at] as number, fingerprints[at + 1] as number, iat)) return true
      }
    }
    return false
  }

  /** Removes one generation's entries whose tokens expired by a time, in seconds since 1970: each call takes a few milliseconds. */
  forget (time: number): void {
    const index = this.#generations.findIndex(({ forgotten }) => forgotten < time)
    const generation = this.#generations[index]
    if (generation === undefined) return
    generation.forgotten = time
    const left = generation.countAfter(time)
    if (left === generation.size) return
    const before = this.#generations[index - 1]
    const target = before !== undefined && before.size + left <= this.#perGeneration ? before : new Generation()
    generation.copyAfter(time, target)
    target.forgotten = before === target ? Math.min(target.forgotten, time) : time
    this.#replace(generation, target)
  }

  /** Corrects {@link droppedUntil} if it is from a clock that was ahead. @param now seconds since 1970 */
  setBack (now: number): void {
    this.#droppedUntil = Math.min(this.#droppedUntil, now)
  }

  /** Returns the generation to add an entry to. */
  #makeRoom (source: Source): Generation {
    if (this.size >= this.#capacity) {
      const oldest = this.#generations.reduce((one, other) => other.newest < one.newest ? other : one)
      this.#droppedUntil = Math.max(this.#droppedUntil, oldest.newest)
      this.#replace(oldest, undefined)
    }
    const open = this.#open.get(source)
    if (open !== undefined && open.size < this.#perGeneration) return open
    const generation = new Generation()
    this.#generations.push(generation)
    this.#open.set(source, generation)
    return generation
  }

  #replace (generation: Generation, target: Generation | undefined) {
    const isKept = target !== undefined && target.size > 0
    this.#generations = [...new Set(this.#generations.flatMap(it => it !== generation ? [it] : isKept ? [target] : []))]
    for (const [source, open] of this.#open) {
      if (open !== generation) continue
      if (isKept) this.#open.set(source, target)
      else this.#open.delete(source)
    }
  }
}

function bounded (time: number): number {
  return Math.min(Math.max(time, 0), ALL)
}
