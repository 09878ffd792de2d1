import { command } from '@frontdesk/service-kit/cli/command'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { CommandError, UsageError } from '@frontdesk/service-kit/cli/errors'
import { styled } from '@frontdesk/service-kit/cli/table'
import { quote, showable } from '@frontdesk/service-kit/showable'
import { apply, findWithoutSecret, planApply, type Plan } from '../admin/apply.js'
import { loadCallbackSchemes } from '../config.js'
import { logoOf } from '../oauth/client-logo.js'
import { describeLogo } from './client/files.js'
import { warnOfPkce } from './client/warnings.js'
import { makeStores, readStores } from './with-stores.js'

/** `apply`: syncs the registered clients with a file, all or nothing. */
export const applyClients = command('apply', {
  says: 'Sync the registered clients with a file, in one transaction.',
  options: {
    '-f, --file <file>': { says: 'YAML or JSON, as export prints it; - is standard input', required: true },
    '--diff': 'only show what would change',
    '--prune': 'remove the clients and roles that are not in the file',
    '--yes [number]': {
      says: 'remove them without confirmation; required without a terminal. With a number: only if exactly that many are removed',
      parse: count
    }
  },
  more: 'Example:\n  frontdesk-auth export > clients.yaml\n  frontdesk-auth apply -f clients.yaml --diff',
  async run ({ file, diff = false, prune = false, yes }) {
    // Loaded on demand: the YAML parser would slow down every other command.
    const { readClients } = await import('./apply/read-clients.js')
    const wanted = readClients(file, loadCallbackSchemes())
    return await (diff ? readStores : makeStores)(async (stores, by) => {
      const plan = await planApply(stores, wanted)
      if (!diff) {
        if (prune) await confirmRemoval(plan, yes)
        else assertCount(0, yes)
        await apply(stores, wanted, { plan, prune }, by)
      }
      return { wanted, plan, withoutSecret: await findWithoutSecret(stores, wanted) }
    })
  },
  text ({ wanted, plan, withoutSecret }, { diff = false, prune = false }) {
    const { clients: { added, changed, surplus, unchanged }, roles } = plan
    const counts = [[added, 'added'], [changed, 'changed'], [prune ? surplus : [], 'removed'], [unchanged, 'unchanged']] as const
    const kept = prune ? [] : [...surplus, ...roles.surplus.map(name => `role ${name}`)]
    return [
      ...describePlan(plan, prune),
      `${diff ? 'Would be: ' : ''}${counts.map(([ids, word]) => `${ids.length} ${word}`).join(', ')}.`,
      ...kept.length === 0 ? [] : [`Not in the file, and kept without --prune: ${kept.join(', ')}.`],
      ...withoutSecret.map(id => `The client ${quote(id)} has no secret yet. To make one: frontdesk-auth client secret add ${id}`),
      ...wanted.clients.filter(({ pkce }) => pkce === 'optional')
        .map(({ clientId, pkce }) => `The client ${quote(clientId)}:${warnOfPkce({ pkce }).replace('\n', ' ')}`)
    ].join('\n')
  },
  fields: ({ plan: { clients: { registered: _, ...clients }, roles }, withoutSecret }, { diff = false, prune = false }) => {
    const split = <Rest> ({ surplus, ...rest }: Rest & { readonly surplus: readonly string[] }) =>
      ({ ...rest, removed: prune ? surplus : [], kept: prune ? [] : surplus })
    return { ...split(clients), roles: split(roles), withoutSecret, applied: !diff }
  }
})

function count (text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError('Give the number of clients and roles that may be removed, as in --yes=3.')
  return Number(text)
}

/** @throws CommandError unless `yes` or a user at the terminal confirms the removal */
async function confirmRemoval (plan: Plan, yes: true | number | undefined): Promise<void> {
  const { clients: { surplus: removed, registered }, roles: { surplus: roles } } = plan
  const number = removed.length + roles.length
  assertCount(number, yes)
  if (number === 0 || typeof yes === 'number') return
  if (removed.length > 0 && removed.length === registered) {
    throw new CommandError(
      `This would remove every registered client (${removed.length}). If that is what you want, pass the number: --yes=${number}`
    )
  }
  const apps = removed.length === 0 ? [] : [`${removed.length === 1 ? 'the client' : `${removed.length} clients:`} ${removed.join(', ')}`]
  const names = roles.length === 0 ? [] : [`the role${roles.length === 1 ? '' : 's'} ${roles.join(', ')}`]
  await confirm(`Remove ${showable([...apps, ...names].join(' and '))} permanently?`, { yes: yes === true })
}

/** @throws CommandError if `yes` is another number */
function assertCount (number: number, yes: true | number | undefined): void {
  if (typeof yes === 'number' && yes !== number) {
    throw new CommandError(`--yes=${yes} was given, but ${number} would be removed. Nothing was changed.`)
  }
}

/** A line for each client and role that is added, changed or removed, and for each changed field. */
function describePlan ({ clients, roles }: Plan, prune: boolean): string[] {
  const show = (name: string, value: unknown) => {
    const logo = name === 'logo' ? logoOf(String(value)) : undefined
    return logo === undefined ? showable(JSON.stringify(value)) : describeLogo(logo)
  }
  return [
    ...clients.added.map(id => styled('green', `+ ${id}`)),
    ...clients.changed.flatMap(({ clientId, fields }) => [
      styled('yellow', `~ ${clientId}`),
      ...Object.entries(fields).map(([name, { from, to }]) => `    ${name}: ${show(name, from)} → ${show(name, to)}`)
    ]),
    ...prune ? clients.surplus.map(id => styled('red', `- ${id}`)) : [],
    ...roles.added.map(({ name, scopes }) => styled('green', `+ role ${name}: ${showable(scopes)}`)),
    ...roles.changed.map(({ name, scopes, from }) => styled('yellow', `~ role ${name}: ${showable(`${from} → ${scopes}`)}`)),
    ...prune ? roles.surplus.map(name => styled('red', `- role ${name}`)) : []
  ]
}
