import { DAY_MS } from '../lifetimes.js'
import { hasEnded } from '../oauth/implicit.js'
import type { SeenGrants } from '../stores/operation/implicit-uses.js'
import type { Stores } from '../stores/stores.js'
import { parsePolicy } from './implicit-policy.js'
import { isIdle, reportOn, type ImplicitReport, type ReportStores } from './implicit-report.js'

/** Number of recent weeks in which users and codes are counted. */
export const RECENT_WEEKS = 4

/** A step of the migration from the implicit grant to codes, and whether the client has taken it. */
interface Step { readonly name: 'registered' | 'exchanged' | 'idle' | 'ended', readonly isDone: boolean }

/** How far a client has moved from the implicit grant to codes. */
interface Migration {
  readonly report: ImplicitReport
  /** Its grants in the last {@link RECENT_WEEKS} weeks. */
  readonly seen: SeenGrants
  readonly steps: readonly Step[]
  /** When the client's implicit grant ends or ended; `null` if no date is set. */
  readonly endsAt: Date | null
}

/** Reads how far a client has moved. @param schemes allowed for callbacks @throws Refusal */
export async function readMigration (
  stores: ReportStores & Pick<Stores, 'implicitUses'>, id: string, schemes: readonly string[]
): Promise<Migration> {
  const now = stores.clock.now()
  const since = new Date(now.getTime() - RECENT_WEEKS * 7 * DAY_MS)
  const [report, seen] = await Promise.all([reportOn(stores, id, schemes), stores.implicitUses.seen(id, since)])
  const policy = parsePolicy(report.policy)
  return {
    report,
    seen,
    endsAt: policy.implicitUntil,
    steps: [
      { name: 'registered', isDone: report.hasCode },
      { name: 'exchanged', isDone: seen.lastCode !== null },
      { name: 'idle', isDone: isIdle(report.lastUse, now) },
      { name: 'ended', isDone: hasEnded(policy, now) }
    ]
  }
}
