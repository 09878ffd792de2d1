import { command, noun } from '@frontdesk/service-kit/cli/command'
import { table } from '@frontdesk/service-kit/cli/table'
import { loadCallbackSchemes } from '../config.js'
import { DAY_MS } from '../lifetimes.js'
import type { Client } from '../oauth/client.js'
import type { ImplicitUse } from '../stores/operation/implicit-uses.js'
import { hasEnded } from '../oauth/implicit.js'
import { whyNotCallback } from '../oauth/redirect-uri.js'
import { writePolicy } from '../admin/implicit-policy.js'
import { readStores } from './with-stores.js'

const CODE = 'authorization_code'

/** Notice period of a client. A client without a use in the last such period is idle. */
const NOTICE_MS = 90 * DAY_MS

const implicit = command('implicit', {
  says: 'Report how each client uses the implicit grant, whether it can move to the code grant with PKCE, and the command for it.',
  run: async () => await readStores(async ({ clients, implicitUses, clock }) => {
    const [now, schemes] = [clock.now(), loadCallbackSchemes()]
    const uses = await implicitUses.list()
    const usesOf = (id: string) => uses.filter(({ clientId }) => clientId === id)
    const apps = (await clients.list()).map(client => examine(client, usesOf(client.id), schemes, now))
    return [...apps.filter(app => !isDone(app)), ...apps.filter(isDone)]
  }),
  text: apps =>
    [...apps.filter(app => !isDone(app)).map(describe), ...nameDone(apps.filter(isDone))].join('\n\n') || 'No clients are registered.'
})

/** Reports on what clients do. */
export const report = noun('report', 'Report what clients do.', [implicit])

/** The report on one client. */
function examine (client: Client, uses: readonly ImplicitUse[], schemes: readonly string[], now: Date) {
  const { id, name, callbacks, disabledAt } = client
  const obstacles = callbacks.length === 0
    ? ['It has no callback, so neither grant can reach it.']
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
  const isIdle = lastUse === null || lastUse.getTime() < now.getTime() - NOTICE_MS
  if (isIdle || hasEnded({ implicit, implicitUntil }, now)) return `frontdesk-auth client implicit ${id} off${code}`
  if (implicitUntil !== null && code === '') return null
  const date = implicitUntil ?? new Date(new Date(now.getTime() + NOTICE_MS).toISOString().slice(0, 10))
  return `frontdesk-auth client implicit ${id} ${writePolicy({ implicit: 'until', implicitUntil: date })}${code}`
}

/** Whether the implicit grant is off for a client that never used it. */
function isDone ({ policy, lastUse }: ReturnType<typeof examine>): boolean {
  return policy === 'off' && lastUse === null
}

function nameDone (apps: ReadonlyArray<ReturnType<typeof examine>>): string[] {
  return apps.length === 0 ? [] : [`Off, and never used: ${apps.map(({ clientId }) => clientId).join(', ')}.`]
}

function describe ({
  clientId, name, policy, disabled, firstUse, lastUse, weeks, callbacks, canMove, obstacles, hasCode, command
}: ReturnType<typeof examine>): string {
  return table([
    ['Client ID', clientId + (disabled ? ' (disabled)' : '')],
    ['Name', name],
    ['Implicit grant', policy],
    ['First use', firstUse?.toISOString() ?? 'never'],
    ['Last use', lastUse?.toISOString() ?? 'never'],
    ['Uses a week', weeks.map(({ week, uses }) => `${week}: ${uses}`).join(', ') || 'none'],
    ...callbacks.map((uri, index) => [index === 0 ? 'Callbacks' : '', uri]),
    ['Code grant', hasCode ? 'yes' : callbacks.length === 0 ? 'no' : 'not yet: add it with --code'],
    ['Could move', policy === 'off' && hasCode ? 'it has moved' : canMove ? 'yes' : `no: ${obstacles.join(' ')}`],
    ['Command', command ?? 'none needed']
  ])
}
