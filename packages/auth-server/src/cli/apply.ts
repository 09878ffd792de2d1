import { command } from '@frontdesk/service-kit/cli/command'
import { confirm } from '@frontdesk/service-kit/cli/confirm'
import { CommandError, UsageError } from '@frontdesk/service-kit/cli/errors'
import { styled } from '@frontdesk/service-kit/cli/table'
import { quote, showable } from '@frontdesk/service-kit/showable'
import { isDeepStrictEqual } from 'node:util'
import { apply, findWithoutSecret, planApply } from '../admin/apply.js'
import { shorten } from '../admin/client-entry.js'
import { describeRole, type Wanted } from '../admin/clients-file.js'
import type { Plan } from '../admin/plan.js'
import { changed } from '../admin/refusal.js'
import { loadCallbackSchemes, type Config } from '../config.js'
import { logoOf } from '../oauth/client-logo.js'
import { describeLogo } from './client/files.js'
import { warnOfPkce } from './client/warnings.js'
import { pointTo } from './explain.js'
import type { AdminApi, Items } from './remote/api.js'
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
  async run ({ file, ...options }) {
    const wanted = await read(file, loadCallbackSchemes())
    const { diff = false, prune = false } = options
    return await (diff ? readStores : makeStores)(async (stores, by) => {
      const plan = await planApply(stores, wanted, { prune }, by)
      await confirmPlan(plan, options)
      const assertSame = (now: Plan) => { if (!isDeepStrictEqual(now, plan)) throw changed('file', CHANGED) }
      if (!diff) await apply(stores, wanted, { prune, check: assertSame }, by)
      return { wanted, plan, withoutSecret: await findWithoutSecret(stores, wanted) }
    })
  },
  async remote (api, { file, ...options }) {
    const wanted = await read(file, await readSchemes(api))
    const { diff = false, prune = false } = options
    const [body, query] = [{ clients: wanted.clients.map(shorten), roles: wanted.roles }, { prune: `${prune}` }]
    const { value: { withoutSecret, ...plan }, etag } = await api.preview<RemotePlan>('/clients-file/plan', { query, body })
    await confirmPlan(plan, options)
    if (!diff) await api.put('/clients-file', body, { query, etag }).catch(pointTo('changed If-Match', CHANGED))
    return { wanted, plan, withoutSecret }
  },
  text ({ wanted, plan, withoutSecret }, { diff = false }) {
    const { clients: { added, changed, removed, kept, unchanged }, roles } = plan
    const counts = [[added, 'added'], [changed, 'changed'], [removed, 'removed'], [unchanged, 'unchanged']] as const
    const allKept = [...kept, ...roles.kept.map(name => `role ${name}`)].map(showable)
    return [
      ...describePlan(plan),
      `${diff ? 'Would be: ' : ''}${counts.map(([ids, word]) => `${ids.length} ${word}`).join(', ')}.`,
      ...allKept.length === 0 ? [] : [`Not in the file, and kept without --prune: ${allKept.join(', ')}.`],
      ...withoutSecret.map(id => `The client ${quote(id)} has no secret yet. To make one: frontdesk-auth client secret add ${id}`),
      ...wanted.clients.filter(({ pkce }) => pkce === 'optional')
        .map(({ clientId, pkce }) => `The client ${quote(clientId)}:${warnOfPkce({ pkce }).replace('\n', ' ')}`)
    ].join('\n')
  },
  fields: ({ plan: { clients, roles }, withoutSecret }, { diff = false }) => ({ ...clients, roles, withoutSecret, applied: !diff })
})

type RemotePlan = Plan & { readonly withoutSecret: readonly string[] }

const CHANGED = 'Clients or roles were changed in the meantime, so the file was not applied. Run the command again.'

async function read (file: string, schemes: readonly string[]): Promise<Wanted> {
  // Loaded on demand: the YAML parser would slow down every other command.
  const { readClients } = await import('./apply/read-clients.js')
  return await readClients(file, schemes)
}

/** The private-use URI schemes that callbacks can use on a server. */
async function readSchemes (api: AdminApi): Promise<readonly string[]> {
  const { items } = await api.get<Items<Config['settings'][number]>>('/settings')
  return loadCallbackSchemes({ CALLBACK_SCHEMES: items.find(({ name }) => name === 'CALLBACK_SCHEMES')?.value ?? '' })
}

function count (text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new UsageError('Give the number of clients and roles that may be removed, as in --yes=3.')
  return Number(text)
}

interface ConfirmOptions { readonly diff?: true, readonly prune?: true, readonly yes?: true | number }

/** @throws CommandError unless `yes` or a user at the terminal confirms the removals of a plan */
async function confirmPlan ({ clients, roles }: Plan, { diff, prune, yes }: ConfirmOptions): Promise<void> {
  if (diff) return
  const number = clients.removed.length + roles.removed.length
  assertCount(number, yes)
  if (!prune || number === 0 || typeof yes === 'number') return
  const { removed } = clients
  if (removed.length > 0 && clients.changed.length + clients.unchanged.length === 0) {
    throw new CommandError(
      `This would remove every registered client (${removed.length}). If that is what you want, pass the number: --yes=${number}`
    )
  }
  const apps = removed.length === 0 ? [] : [`${removed.length === 1 ? 'the client' : `${removed.length} clients:`} ${removed.join(', ')}`]
  const names = roles.removed.length === 0 ? [] : [`the role${roles.removed.length === 1 ? '' : 's'} ${roles.removed.join(', ')}`]
  await confirm(`Remove ${showable([...apps, ...names].join(' and '))} permanently?`, { yes: yes === true })
}

/** @throws CommandError if `yes` is another number */
function assertCount (number: number, yes: true | number | undefined): void {
  if (typeof yes === 'number' && yes !== number) {
    throw new CommandError(`--yes=${yes} was given, but ${number} would be removed. Nothing was changed.`)
  }
}

/** A line for each client and role that is added, changed or removed, and for each changed field. */
function describePlan ({ clients, roles }: Plan): string[] {
  const show = (name: string, value: unknown) => {
    const logo = name === 'logo' ? logoOf(String(value)) : undefined
    return logo === undefined ? showable(JSON.stringify(value)) : describeLogo(logo)
  }
  return [
    ...clients.added.map(id => styled('green', `+ ${showable(id)}`)),
    ...clients.changed.flatMap(({ clientId, fields }) => [
      styled('yellow', `~ ${showable(clientId)}`),
      ...Object.entries(fields).map(([name, { from, to }]) => `    ${name}: ${show(name, from)} → ${show(name, to)}`)
    ]),
    ...clients.removed.map(id => styled('red', `- ${showable(id)}`)),
    ...roles.added.map(role => styled('green', showable(`+ role ${role.name}: ${describeRole(role)}`))),
    ...roles.changed.map(role => styled('yellow', showable(`~ role ${role.name}: ${role.from} → ${describeRole(role)}`))),
    ...roles.removed.map(name => styled('red', `- role ${showable(name)}`))
  ]
}
