import type { RevocationList } from '@frontdesk/schemas/revocations'
import type { Test } from 'tap'
import { Revocations, type RevocationsOptions } from '../../../src/revocations/revocations.js'

const log = { info () {}, warn () {} }
/** Seconds since 1970 at the start of each test. */
export const START = 1_790_000_000
/** Claims of a token. */
export const token = {
  iss: 'i',
  sub: 's',
  aud: 'a',
  client_id: 'c',
  scope: '',
  iat: START - 60,
  exp: START + 600,
  jti: 'token',
  grant_id: 'grant'
}

/** What a check throws. */
export function thrownBy (revocations: Revocations, changes: Partial<typeof token> = {}): unknown {
  const claims = { ...token, ...changes }
  try {
    return revocations.check(claims, revocations.fingerprints(claims))
  } catch (error) {
    return error
  }
}

/** The error for a revoked token. */
export const revoked = { kind: { name: 'token-invalid' }, reason: 'revoked' }

/** Revocations from a feed and clocks that the test controls. Each background fetch is made by {@link go}. */
export function fakeFeed (t: Test, options: Partial<RevocationsOptions> = {}) {
  const state = {
    machine: START * 1_000,
    monotonic: 0,
    server: 0,
    tellsTime: true,
    asked: [] as string[],
    lists: [] as RevocationList[],
    full: [] as RevocationList['revoked'],
    isAway: false
  }
  const revocations = new Revocations({
    url: 'http://issuer.example/revocations',
    maxAge: 60,
    log,
    ticks: { machine: () => state.machine, monotonic: () => state.monotonic },
    async fetch (url, after) {
      state.asked.push(after)
      if (state.isAway) throw new Error('away')
      const now = Math.floor((START * 1_000 + state.monotonic + state.server) / 1_000)
      return {
        ...(state.lists.shift() ?? { revoked: after === '' ? state.full : [], next: `${now}`, more: false }),
        ...(state.tellsTime ? { now } : {})
      }
    },
    ...options
  })
  t.teardown(() => revocations.stop())
  const pass = (ms: number) => {
    state.machine += ms
    state.monotonic += ms
  }
  /** Lets time pass, with a fetch every ten seconds. */
  const go = async (ms: number) => {
    for (let at = 0; at < ms; at += 10_000) {
      pass(10_000)
      await revocations.refresh()
    }
  }
  return { revocations, state, pass, go }
}
