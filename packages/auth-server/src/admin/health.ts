import { CLOCK_LEEWAY_S } from '@frontdesk/service-kit/clock-leeway'
import { stateOfClock } from '@frontdesk/service-kit/doctor/clock'
import { findings, worstState, type Finding as AnyFinding } from '@frontdesk/service-kit/doctor/finding'
import type { Config } from '../config.js'
import { reason, type Reason } from '../languages/reason.js'
import { isAlmostFull } from '../stores/operation/audit.js'
import type { Stores } from '../stores/stores.js'
import { findSealFault } from './audit-verify.js'
import { checkKeys } from './check-keys.js'
import { keySets } from './keys.js'

/** A finding in the reader's language, or in English. */
type Finding = AnyFinding<Reason>

/** Findings about a running server, and the worst of their states. */
interface Health { readonly status: ReturnType<typeof worstState>, readonly findings: readonly Finding[] }

/** Checks a running server: what `doctor` checks without other servers, and without reading every client. Changes nothing. */
export async function checkHealth (stores: Stores, config: Config): Promise<Health> {
  const found = await readAll(checkRunning(stores, config))
  return { status: worstState(found), findings: found }
}

async function * checkRunning (stores: Stores, config: Config): AsyncGenerator<Finding> {
  const { ok, wrong } = findings<Reason>('database')
  const state = await stores.ping().catch(() => 'silent')
  if (state !== 'ok') {
    return yield wrong(reason(state === 'silent' ? 'finding.database-silent' : 'finding.database-lost'), reason('finding.database.remedy'))
  }
  yield ok(reason('finding.database-ok'))
  const ahead = stores.clock.ahead()
  if (ahead !== null) yield compareWithDatabase(Math.round(ahead))
  yield * checkTokenSettings(config)
  yield * checkDemo(stores, config)
  yield checkAudit(await stores.audit.count(), config)
  yield await checkSeals(stores, config)
  yield * checkStoredKeys(stores, config)
  if (config.mail === undefined) {
    yield findings<Reason>('mail').unchecked(reason('finding.mail-off'), reason('finding.mail-off.remedy'))
  }
}

function compareWithDatabase (ahead: number): Finding {
  const state = stateOfClock(ahead)
  const sentence = reason(`finding.clock.${state}`, { seconds: Math.abs(ahead), maximum: CLOCK_LEEWAY_S })
  return findings<Reason>('database-clock')[state](sentence, ...state === 'ok' ? [] : [reason('finding.clock.remedy')])
}

async function readAll (found: AsyncIterable<Finding>): Promise<Finding[]> {
  const all: Finding[] = []
  for await (const finding of found) all.push(finding)
  return all
}

/** Checks the keys of access tokens and ID tokens. @returns the ids of the published keys */
export async function * checkStoredKeys (
  stores: Pick<Stores, 'signingKeys' | 'idTokenKeys'>, config: Config
): AsyncGenerator<Finding, string[]> {
  const sets = await keySets(stores)
  const [accessTokens = [], ...idTokens] = await Promise.all(sets.map(({ keys }) => keys.list()))
  return yield * checkKeys(accessTokens, idTokens.flat(), config)
}

type DemoStores = Pick<Stores, 'clients' | 'users'>

/** Checks that production has no usable demo accounts. */
export async function * checkDemo (stores: DemoStores, { production }: Pick<Config, 'production'>): AsyncGenerator<Finding> {
  const { ok, wrong } = findings<Reason>('demo')
  if (!production) return
  const found = await findDemo(stores)
  yield found === null ? ok(reason('finding.demo-none')) : wrong(...found)
}

/** Finds enabled demo apps and users, whose password is public. Returns a sentence and a remedy; `null`: there are none. */
export async function findDemo ({ clients, users }: DemoStores): Promise<[sentence: Reason, remedy: Reason] | null> {
  const commands = [
    ...(await clients.demo()).map(id => `frontdesk-auth client remove ${id}`),
    ...(await users.demo()).map(username => `frontdesk-auth user disable ${username}`)
  ]
  return commands.length === 0
    ? null
    : [reason('finding.demo'), reason('finding.demo.remedy', { commands: commands.join(' && ') })]
}

/** Checks that the audit trail has room for more rows. */
export function checkAudit (rows: number, { auditMaxRows }: Pick<Config, 'auditMaxRows'>): Finding {
  const { ok, warning } = findings<Reason>('audit')
  if (!isAlmostFull(rows, auditMaxRows)) return ok(reason('finding.audit-room'))
  return warning(reason('finding.audit-full', { rows, maximum: auditMaxRows }), reason('finding.audit-full.remedy'))
}

/** How long events can be unsealed: a server seals them once a minute, and another one takes over after 7.5 minutes. */
const MAX_UNSEALED_MS = 15 * 60_000

/** Checks the newest seal of the audit trail, and that new events are sealed. */
export async function checkSeals (stores: Pick<Stores, 'auditSeals' | 'clock'>, config: Config): Promise<Finding> {
  const { ok, warning, wrong } = findings<Reason>('audit-seals')
  const { newest, unsealedSince } = await stores.auditSeals.state()
  const fault = newest && await findSealFault(stores, config, newest)
  if (fault !== null) return wrong(fault, reason('finding.seal.remedy'))
  if (unsealedSince !== null && stores.clock.now().getTime() - unsealedSince.getTime() > MAX_UNSEALED_MS) {
    return warning(reason('finding.seal-stale', { time: unsealedSince.toISOString() }), reason('finding.seal-stale.remedy'))
  }
  return ok(newest === null ? reason('finding.seal-none') : reason('finding.seal-ok', { seal: newest.number }))
}

/** Longest advisable lifetime of access tokens, in seconds: browsers leak them. */
const LONG_TTL = 3_600

/** Describes the tokens, and warns of a long lifetime. */
export function * checkTokenSettings (
  { accessTokenTtl, defaultAudience, issuer, signingAlg }: Pick<Config, 'accessTokenTtl' | 'defaultAudience' | 'issuer' | 'signingAlg'>
): Generator<Finding> {
  const { ok, warning } = findings<Reason>('settings')
  yield ok(reason('finding.tokens', { alg: signingAlg, issuer, audience: defaultAudience }))
  if (accessTokenTtl > LONG_TTL) {
    yield warning(reason('finding.token-lifetime', { seconds: accessTokenTtl }), reason('finding.token-lifetime.remedy'))
  }
}
