import type { Command } from 'commander'
import { CommandError, UsageError } from './errors.js'
import { createOption, type Input, type Options } from './option.js'

/** A server's API, which does what commands do. The program declares its members. */
export interface Api {}

/** Adds a command, or a noun with its commands, to a program or to a noun. @param connect finds the API of the server in `--server` */
export type Define = (parent: Command, connect?: (server: string) => Api) => void

/** The terminal of a running command. */
export interface Terminal {
  /** Prints a line immediately: to standard output, or to standard error with `--json`. */
  say: (line: string) => void
}

/** A command: its options, its action, and how its result is printed. */
interface Spec<Usage extends string, Table extends Options, Value> {
  /** Its description in the help. */
  readonly says: string
  readonly options?: Table
  /** What `--json` prints, as in "print the users with all fields as JSON"; default: the result. */
  readonly json?: string
  /** Text at the end of its help, such as an example. */
  readonly more?: string
  /** @throws UsageError, CommandError and what the program explains */
  readonly run: (input: Input<Usage, Table>, terminal: Terminal) => Promise<Value>
  /** The same action by the API of a server; without it, the command needs the database. */
  readonly remote?: (api: Api, input: Input<Usage, Table>, terminal: Terminal) => Promise<Value>
  /** Formats the value as text; `undefined` prints nothing. */
  readonly text: (value: Value, input: Input<Usage, Table>) => string | undefined
  /** The value for `--json`, if it is not the value itself. */
  readonly fields?: (value: Value, input: Input<Usage, Table>) => unknown
  /** Returns a hint to print to standard error after the value. */
  readonly note?: (value: Value, input: Input<Usage, Table>) => string | undefined
  readonly exitCode?: (value: Value) => number
}

/**
 * A command.
 * @param usage its name and arguments, as in `rename <username> <new_username>`
 */
export function command<const Usage extends string, Value, const Table extends Options = Readonly<Record<never, never>>> (
  usage: Usage,
  { says, options, json = 'the result', more, run, remote, text, fields = value => value, note, exitCode }: Spec<Usage, Table, Value>
): Define {
  return (parent, connect) => {
    const command = parent.command(usage).description(says)
    for (const [flags, spec] of Object.entries<Options[string]>(options ?? {})) command.addOption(createOption(flags, spec))
    command.option('--json', `print ${json} as JSON`)
    if (more !== undefined) command.addHelpText('after', `\n${more}`)
    command.action(async () => {
      // as: commander has parsed the arguments and options.
      const input = { ...namedArguments(command), ...command.opts() } as Input<Usage, Table>
      const say = (line: string) => { process[input.json ? 'stderr' : 'stdout'].write(`${line}\n`) }
      const { server } = command.optsWithGlobals<{ server?: string }>()
      const doIt = server && connect !== undefined ? overApi(remote, connect(server)) : run
      const value = await doIt(input, { say }).catch(error => {
        throw error instanceof UsageError ? command.error(`error: ${error.message}`) : error
      })
      const shown = input.json ? JSON.stringify(fields(value, input), null, 2) : text(value, input)
      if (shown !== undefined) process.stdout.write(`${shown}\n`)
      const hint = note?.(value, input)
      if (hint !== undefined) process.stderr.write(`${hint}\n`)
      if (exitCode !== undefined) process.exitCode = exitCode(value)
    })
  }
}

/** A noun with its commands. */
export function noun (name: string, says: string, commands: readonly Define[]): Define {
  return (parent, connect) => {
    const group = parent.command(name).description(says)
    for (const define of commands) define(group, connect)
  }
}

/** @throws CommandError for a command without `remote` */
function overApi<Given, Value> (
  remote: ((api: Api, input: Given, terminal: Terminal) => Promise<Value>) | undefined, api: Api
): (input: Given, terminal: Terminal) => Promise<Value> {
  if (remote === undefined) {
    throw new CommandError('This command needs the database. Run it where DATABASE_URL is set, without --server and FRONTDESK_SERVER.')
  }
  return async (input, terminal) => await remote(api, input, terminal)
}

/** The given arguments, by their names in camelCase. */
function namedArguments ({ registeredArguments, processedArgs }: Command): Record<string, unknown> {
  return Object.fromEntries(registeredArguments.flatMap((argument, index) => processedArgs[index] === undefined
    ? []
    : [[argument.name().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()), processedArgs[index]]]))
}
