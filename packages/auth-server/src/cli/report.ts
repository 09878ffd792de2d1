import { command, noun } from '@frontdesk/service-kit/cli/command'
import { table } from '@frontdesk/service-kit/cli/table'
import { isDone, reportAll, sortReports, type ImplicitReport } from '../admin/implicit-report.js'
import { loadCallbackSchemes } from '../config.js'
import { readStores } from './with-stores.js'

const implicit = command('implicit', {
  says: 'Report how each client uses the implicit grant, whether it can move to the code grant with PKCE, and the command for it.',
  run: async () => await readStores(async stores => await reportAll(stores, loadCallbackSchemes())),
  remote: async api => sortReports((await api.list<ImplicitReport>('/implicit-report', { all: 'true' })).items),
  text: apps =>
    [...apps.filter(app => !isDone(app)).map(describe), ...nameDone(apps.filter(isDone))].join('\n\n') || 'No clients are registered.'
})

/** Reports on what clients do. */
export const report = noun('report', 'Report what clients do.', [implicit])

function nameDone (apps: readonly ImplicitReport[]): string[] {
  return apps.length === 0 ? [] : [`Off, and never used: ${apps.map(({ clientId }) => clientId).join(', ')}.`]
}

function describe ({
  clientId, name, policy, disabled, firstUse, lastUse, weeks, callbacks, canMove, obstacles, hasCode, command
}: ImplicitReport): string {
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
