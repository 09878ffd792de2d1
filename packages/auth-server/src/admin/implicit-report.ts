import { DAY_MS } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import { hasEnded } from '../oauth/implicit.js'
import { whyNotCallback } from '../oauth/redirect-uri.js'
import type { ImplicitUse } from '../stores/operation/implicit-uses.js'
import type { Stores } from '../stores/stores.js'
import { writePolicy } from './implicit-policy.js'
import { findClient } from './unknown.js'
import { reason, type Reason } from '../languages/reason.js'

const CODE = 'authorization_code'

/** Notice period of a client, in days. A client that has not used the implicit grant for that long is idle. */
export const NOTICE_DAYS = 90
const NOTICE_MS = NOTICE_DAYS * DAY_MS

/** How a client uses the implicit grant, and the next step of its migration to the code grant with PKCE. */
export interface ImplicitReport {
  readonly clientId: string
  readonly name: string
  readonly policy: string
  readonly disabled: boolean
  readonly firstUse: Date | null
  readonly lastUse: Date | null
  readonly weeks: ReadonlyArray<Pick<ImplicitUse, 'week' | 'uses'>>
  readonly callbacks: readonly string[]
  readonly canMove: boolean
  /** Why it cannot move. */
  readonly obstacles: readonly Reason[]
  readonly hasCode: boolean
  /** The next command; `null`: it has moved, or has an end date and the code grant. */
  readonly command: string | null
}

/** Stores of the reports. */
export type ReportStores = Pick<Stores, 'clients' | 'implicitUses' | 'clock'>

/** Reports on all clients: first those that use the implicit grant or could, then the others. */
export async function reportAll ({ clients, implicitUses, clock }: ReportStores, schemes: readonly string[]): Promise<ImplicitReport[]> {
  return sortReports(examineAll(await clients.list(), await implicitUses.list(), schemes, clock.now()))
}

/** Sorts reports as {@link reportAll} does. */
export function sortReports (apps: readonly ImplicitReport[]): ImplicitReport[] {
  return [...apps.filter(app => !isDone(app)), ...apps.filter(isDone)]
}

/** Reports on a page of clients, by id: all clients, or those that use or can use the implicit grant. @param schemes for callbacks */
export async function reportPage (
  { clients, implicitUses, clock }: ReportStores,
  { all = false, after, limit }: { readonly all?: boolean, readonly after?: string | undefined, readonly limit: number },
  schemes: readonly string[]
): Promise<{ readonly reports: readonly ImplicitReport[], readonly hasMore: boolean }> {
  const { clients: found, hasMore } = await clients.page({ isImplicit: !all, after, limit })
  const uses = await implicitUses.of(found.map(({ id }) => id))
  return { reports: examineAll(found, uses, schemes, clock.now()), hasMore }
}

/** Reports on one client. @throws Refusal */
export async function reportOn (stores: ReportStores, id: string, schemes: readonly string[]): Promise<ImplicitReport> {
  return examine(await findClient(stores, id), await stores.implicitUses.of([id]), schemes, stores.clock.now())
}

/** Whether the implicit grant is off for a client that never used it. */
export function isDone ({ policy, lastUse }: Pick<ImplicitReport, 'policy' | 'lastUse'>): boolean {
  return policy === 'off' && lastUse === null
}

function examineAll (clients: readonly Client[], uses: readonly ImplicitUse[], schemes: readonly string[], now: Date): ImplicitReport[] {
  const usesOf = new Map<string, ImplicitUse[]>(clients.map(({ id }) => [id, []]))
  for (const use of uses) usesOf.get(use.clientId)?.push(use)
  return clients.map(client => examine(client, usesOf.get(client.id) ?? [], schemes, now))
}

/** The report on one client. */
function examine (client: Client, uses: readonly ImplicitUse[], schemes: readonly string[], now: Date): ImplicitReport {
  const { id, name, callbacks, disabledAt } = client
  const obstacles = callbacks.length === 0
    ? [reason('reason.implicit-stranded')]
    : callbacks.flatMap(uri => whyNotCallback(uri, schemes) ?? [])
  const lastUse = uses.at(-1)?.lastAt ?? null
  return {
    clientId: id,
    name,
    policy: writePolicy(client),
    disabled: disabledAt !== null,
    firstUse: uses[0]?.firstAt ?? null,
    lastUse,
    weeks: uses.map(({ week, uses }) => ({ week, uses })),
    callbacks,
    canMove: obstacles.length === 0,
    obstacles,
    hasCode: client.grantTypes.includes(CODE),
    command: nextCommand(client, lastUse, now)
  }
}

/** The next command of the migration; clients in use get a notice period. `null`: it has moved, or has an end date and the code grant. */
function nextCommand ({ id, callbacks, implicit, implicitUntil, grantTypes }: Client, lastUse: Date | null, now: Date): string | null {
  if (implicit === 'off') return null
  const code = grantTypes.includes(CODE) || callbacks.length === 0 ? '' : ' --code'
  if (isIdle(lastUse, now) || hasEnded({ implicit, implicitUntil }, now)) return `frontdesk-auth client implicit ${id} off${code}`
  if (implicitUntil !== null && code === '') return null
  const date = implicitUntil ?? usualEnd(now)
  return `frontdesk-auth client implicit ${id} ${writePolicy({ implicit: 'until', implicitUntil: date })}${code}`
}

/** Whether a client has not used the implicit grant for the notice period. */
export function isIdle (lastUse: Date | null, now: Date): boolean {
  return lastUse === null || lastUse.getTime() < now.getTime() - NOTICE_MS
}

/** The end date after the notice period. */
export function usualEnd (now: Date): Date {
  return new Date(new Date(now.getTime() + NOTICE_MS).toISOString().slice(0, 10))
}
