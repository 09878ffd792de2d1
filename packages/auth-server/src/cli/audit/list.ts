import { list } from '@frontdesk/service-kit/cli/table'
import { InvalidArgumentError, type Command } from 'commander'
import { REQUEST_EVENTS, type AuditRow } from '../../stores/audit.js'
import type { Users } from '../../stores/users.js'
import { unknownUserError } from '../user/describe.js'
import { didYouMean } from '@frontdesk/service-kit/nearest'
import { jsonOption, print, type PrintOptions } from '../print.js'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { quote } from '@frontdesk/service-kit/showable'
import { readStores } from '../with-stores.js'

interface Options extends PrintOptions {
  /** Computes the time; `now` is the database's. */
  readonly since?: (now: Date) => Date
  readonly user?: string
  readonly client?: string
  readonly event?: string
  readonly reference?: string
  readonly before?: string
  readonly limit: number
}

const UNITS: Record<string, number> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const MAX_LIMIT = 10_000

/** `audit list`: events, newest first. */
export function listAudit (audit: Command): void {
  audit.command('list')
    .description('List events, newest first.')
    .option('--since <time>', 'a period such as 30m, 12h or 7d, or a time such as 2030-01-31T12:00Z', since)
    .option('--user <name>', 'events of a person: the user name, or the id ("sub" of access tokens)')
    .option('--client <client_id>', 'events of an app')
    .option('--event <event>', `only ${REQUEST_EVENTS.join(', ')}, or a command such as "client add"`)
    .option('--reference <request_id>', 'the reference on an error page')
    .option('--before <id>', 'events before a row: the last "id" of --json')
    .option('--limit <rows>', `number of rows, 1 to ${MAX_LIMIT}`, limit, 50)
    .addOption(jsonOption('events with all fields'))
    .action(async (
      { since, user, client: clientId, event, reference: requestId, before, limit, ...options }: Options,
      command: Command
    ) => await readStores(async ({ audit, users, clock }) => {
      const userId = user === undefined ? undefined : await findUser(users, user)
      const rows = await audit.list({ since: since?.(clock.now()), userId, clientId, event, requestId, before }, limit)
      if (rows.length === 0 && event !== undefined) assertEvent(event, command)
      const names = await users.names(rows.flatMap(({ userId }) => userId ?? []))
      print(options, rows, rows.length === 0 ? 'No events were found.' : list(HEAD, rows.map(row => line(row, names))))
      if (rows.length === limit) console.error(`There may be more: frontdesk-auth audit list … --before ${rows.at(-1)?.id}`)
    }))
}

const HEAD = ['TIME', 'EVENT', 'OUTCOME', 'CLIENT', 'USER', 'SOURCE', 'REFERENCE', 'DETAILS']

/** Finds the id of a person by user name; an id stays as it is. @throws CommandError if no person has this name */
async function findUser (users: Users, user: string): Promise<string> {
  const found = await users.find(user)
  if (found === null && !UUID.test(user)) throw unknownUserError(user, await users.list())
  return found?.id ?? user
}

/** @throws CommandError if no request and no command records such events */
function assertEvent (event: string, command: Command): void {
  const known: readonly string[] = [...REQUEST_EVENTS, ...namesOf(command.parent?.parent?.commands ?? [])]
  if (known.includes(event)) return
  throw new CommandError(
    `There is no event ${quote(event)}.${didYouMean(event, known)} Events are ${REQUEST_EVENTS.join(', ')} and commands such as "client add".`
  )
}

/** Full names of commands, including their groups. */
function namesOf (commands: readonly Command[]): string[] {
  return commands.flatMap(command => [command.name(), ...namesOf(command.commands).map(it => `${command.name()} ${it}`)])
}

function line (
  { at, event, outcome, clientId, userId, source, requestId, details }: AuditRow,
  names: ReadonlyMap<string, string>
): string[] {
  const person = userId && (names.get(userId) ?? userId)
  const cells = [at.toISOString(), event, outcome, clientId, person, source, requestId].map(it => it ?? '-')
  return [...cells, Object.keys(details).length === 0 ? '' : JSON.stringify(details)]
}

function since (text: string): (now: Date) => Date {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined && unit !== undefined) return now => new Date(now.getTime() - Number(count) * UNITS[unit]!)
  const time = new Date(/^\d{4}-\d\d-\d\d/.test(text) ? text : '')
  if (Number.isNaN(time.getTime())) throw new InvalidArgumentError('Give a time such as 30m, 12h, 7d or 2030-01-31T12:00Z.')
  return () => time
}

function limit (text: string): number {
  const rows = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (rows < 1 || rows > MAX_LIMIT) throw new InvalidArgumentError(`Give a whole number from 1 to ${MAX_LIMIT}.`)
  return rows
}
