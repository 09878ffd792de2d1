import { completion } from '@frontdesk/service-kit/completion'
import { helpStyle } from '@frontdesk/service-kit/terminal/help'
import { Command, CommanderError } from 'commander'
import { readFileSync } from 'node:fs'
import { CommandError } from './command-error.js'
import { dbCommands } from './db.js'
import { demo } from './demo/demo.js'
import { doctor } from './doctor/doctor.js'
import { exportCommand } from './files/export.js'
import { importCommand } from './files/import.js'
import { serve } from './serve.js'
import { login } from './sign-in/login.js'
import { logout } from './sign-in/logout.js'
import { token } from './sign-in/token.js'
import { webhook } from './webhook/webhook.js'

// as: the file is ours.
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }

const program = new Command('frontdesk-customer')
  .description('Run customer-service, check its settings, copy or back up its database, sign in to call it, import and export files.')
  .version(version)
  .showHelpAfterError('Add --help to see the usage.')
  .addHelpText('after', `
Exit codes: 0 done, 1 refused, 2 wrong usage; of doctor, 3 warnings only.`)
  .configureHelp(helpStyle)
  .exitOverride()
/** Every command: add a file, and a name here. */
const commands = [dbCommands, demo, doctor, exportCommand, importCommand, serve, login, logout, token, webhook, completion]
for (const define of commands) define(program)

// `head` closes the pipe early: not an error.
process.stdout.on('error', error => { if (!('code' in error && error.code === 'EPIPE')) process.exitCode = report(error) })

try {
  await program.parseAsync()
} catch (error) {
  process.exitCode = report(error)
}

/** Prints the error and returns the exit code. */
function report (error: unknown): number {
  // Commander has printed its own message, or the help.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
  if (error instanceof CommandError) console.error(error.message)
  else console.error(`frontdesk-customer failed: ${error instanceof Error ? error.message.trim() : error}`)
  return 1
}
