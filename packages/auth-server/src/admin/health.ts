import { compareClocks } from '@frontdesk/service-kit/doctor/clock'
import { findings, worstState, type Finding } from '@frontdesk/service-kit/doctor/finding'
import type { Config } from '../config.js'
import { describeFullAudit } from '../stores/operation/audit.js'
import type { Stores } from '../stores/stores.js'
import { findSealFault } from './audit-verify.js'
import { checkKeys } from './check-keys.js'
import { keySets } from './keys.js'

/** Findings about a running server, and the worst of their states. */
export interface Health { readonly status: ReturnType<typeof worstState>, readonly findings: readonly Finding[] }

/** Checks a running server: what `doctor` checks without other servers, and without reading every client. Changes nothing. */
export async function checkHealth (stores: Stores, config: Config): Promise<Health> {
  const found = await readAll(checkRunning(stores, config))
  return { status: worstState(found), findings: found }
}

async function * checkRunning (stores: Stores, config: Config): AsyncGenerator<Finding> {
  const { ok, wrong } = findings('database')
  const state = await stores.ping().catch(() => 'does not respond')
  if (state !== 'ok') return yield wrong(`The database ${state}.`, 'Run doctor where the server runs.')
  yield ok('The database responds.')
  const ahead = stores.clock.ahead()
  if (ahead !== null) yield compareClocks('database-clock', 'the database', Math.round(ahead))
  yield * checkTokenSettings(config)
  yield * checkDemo(stores, config)
  yield checkAudit(await stores.audit.count(), config)
  yield await checkSeals(stores, config)
  yield * checkStoredKeys(stores, config)
  if (config.mail === undefined) {
    yield findings('mail').unchecked('Email is not configured.', 'To email password links, set SMTP_URL and MAIL_FROM.')
  }
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
  const { ok, wrong } = findings('demo')
  if (!production) return
  const found = await findDemo(stores)
  yield found === null ? ok('No demo account can be used.') : wrong(...found)
}

/** Finds enabled demo apps and users, whose password is public. Returns a sentence and a remedy; `null`: there are none. */
export async function findDemo ({ clients, users }: DemoStores): Promise<[sentence: string, remedy: string] | null> {
  const commands = [
    ...(await clients.demo()).map(id => `frontdesk-auth client remove ${id}`),
    ...(await users.demo()).map(username => `frontdesk-auth user disable ${username}`)
  ]
  return commands.length === 0
    ? null
    : ['This database has demo accounts, which production refuses.', `Run: ${commands.join(' && ')}`]
}

/** Checks that the audit trail has room for more rows. */
export function checkAudit (rows: number, { auditMaxRows }: Pick<Config, 'auditMaxRows'>): Finding {
  const { ok, warning } = findings('audit')
  const full = describeFullAudit(rows, auditMaxRows)
  if (full === null) return ok('The audit trail has room for more rows.')
  return warning(`The audit trail ${full}.`, 'See docs/operations/incidents/long-audit-trail.md, or raise AUDIT_MAX_ROWS.')
}

/** How long events can be unsealed: a server seals them once a minute, and another one takes over after 7.5 minutes. */
const MAX_UNSEALED_MS = 15 * 60_000

/** Checks the newest seal of the audit trail, and that new events are sealed. */
export async function checkSeals (stores: Pick<Stores, 'auditSeals' | 'clock'>, config: Config): Promise<Finding> {
  const { ok, warning, wrong } = findings('audit-seals')
  const { newest, unsealedSince } = await stores.auditSeals.state()
  const fault = newest && await findSealFault(stores, config, newest)
  if (fault !== null) return wrong(fault, 'Run frontdesk-auth audit verify, and see docs/operations/audit.md.')
  if (unsealedSince !== null && stores.clock.now().getTime() - unsealedSince.getTime() > MAX_UNSEALED_MS) {
    return warning(`Audit events have not been sealed since ${unsealedSince.toISOString()}.`,
      'A running server seals them once a minute. Look for "cannot seal the audit trail" in its log.')
  }
  return ok(newest === null ? 'No audit events are sealed yet.' : `The newest seal of the audit trail, seal ${newest.number}, is valid.`)
}

/** Longest advisable lifetime of access tokens, in seconds: browsers leak them. */
const LONG_TTL = 3_600

/** Describes the tokens, and warns of a long lifetime. */
export function * checkTokenSettings (
  { accessTokenTtl, defaultAudience, issuer, signingAlg }: Pick<Config, 'accessTokenTtl' | 'defaultAudience' | 'issuer' | 'signingAlg'>
): Generator<Finding> {
  const { ok, warning } = findings('settings')
  const audience = `${defaultAudience} unless the client requests a resource`
  yield ok(`Tokens are signed with ${signingAlg}. Their iss is ${issuer}; their aud is ${audience}.`)
  if (accessTokenTtl > LONG_TTL) {
    yield warning(`Access tokens last ${accessTokenTtl} s, which is too long if one leaks.`,
      'Set ACCESS_TOKEN_TTL to 600, or at most 3600.')
  }
}
