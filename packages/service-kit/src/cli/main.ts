import { Command, CommanderError, Option } from 'commander'
import { readFileSync } from 'node:fs'
import { ConfigError } from '../settings.js'
import type { Api, Define } from './command.js'
import { completion } from './completion.js'
import { CommandError } from './errors.js'
import { helpStyle } from './help.js'

/** A program with its commands. */
interface Program {
  readonly name: string
  readonly says: string
  /** Text at the end of its help. */
  readonly more: string
  /** The `package.json` that has its version. */
  readonly packageFile: URL
  readonly commands: readonly Define[]
  /** Runs commands over the API of a server, which an option or a variable names. */
  readonly remote?: { readonly says: string, readonly env: string, readonly connect: (server: string) => Api }
  /** Returns the message to print for an error of a command; `undefined`: the error is unexpected. */
  readonly explain?: (error: unknown) => string | undefined
}

/** Runs the command in the arguments of this process, and sets the exit code: 0 success, 1 failure, 2 wrong usage. */
export async function main ({ name, says, more, packageFile, commands, remote, explain }: Program): Promise<void> {
  // as: npm's format.
  const { version } = JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }
  const program = new Command(name)
    .description(says)
    .version(version)
    .showHelpAfterError('Add --help to see the usage.')
    .addHelpText('after', `\n${more}`)
    .configureHelp(helpStyle)
    .exitOverride()
  if (remote !== undefined) program.addOption(new Option('--server <issuer>', remote.says).env(remote.env))
  for (const define of [...commands, completion]) define(program, remote?.connect)

  // Programs such as `head` close the pipe early, which is not an error.
  process.stdout.on('error', error => { if (!('code' in error && error.code === 'EPIPE')) process.exitCode = report(error) })
  try {
    await program.parseAsync()
  } catch (error) {
    process.exitCode = report(error)
  }

  /** Prints the error and returns the exit code. */
  function report (error: unknown): number {
    // Commander has printed its own message, or the help.
    if (error instanceof CommanderError) {
      // Identifiers in base64url, such as those of keys and sessions, can begin with a hyphen.
      if (/unknown option '-[^-]/.test(error.message)) console.error('If this is an argument, put -- before it.')
      return error.exitCode === 0 ? 0 : 2
    }
    const known = error instanceof CommandError || error instanceof ConfigError ? error.message : explain?.(error)
    console.error(known ?? `${name} failed: ${error instanceof Error ? error.message.trim() : error}`)
    return 1
  }
}
