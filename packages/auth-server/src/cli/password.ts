import type { NewPassword, PasswordOwner } from '../sign-in/password-rule.js'
import { quote } from '@frontdesk/service-kit/showable'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { readFirstLine } from '@frontdesk/service-kit/cli/first-line'
import { loadPasswords } from '../config.js'

/** Maximum length of the password line, in bytes: longer than any valid password. */
const LONGEST_LINE = 4096

/**
 * Reads a new password: by prompt, with confirmation, if standard input is a terminal; else from the first line of standard
 * input. Never from arguments or the environment, which other users can read.
 * @throws CommandError if the password is missing, or repeated differently; the prompt accepts only valid ones
 */
export async function readPassword (owner: PasswordOwner): Promise<NewPassword> {
  const { passwordMin } = loadPasswords()
  if (!process.stdin.isTTY) return { password: await firstLine(), passwordMin }
  const { whyNotPassword } = await import('../sign-in/password-rule.js')
  const check = async (password: string) => (await whyNotPassword({ password, passwordMin }, owner))?.sentence ?? null
  return { password: await prompt(owner.username, check), passwordMin }
}

type WhyNot = (password: string) => Promise<string | null>

async function prompt (username: string, whyNot: WhyNot): Promise<string> {
  const password = await type(`New password for ${quote(username)}:`, whyNot)
  if (await type('Repeat the password:') !== password) throw new CommandError('The two passwords differ. Nothing was changed.')
  return password
}

async function type (message: string, whyNot: WhyNot = async () => null): Promise<string> {
  const { default: ask } = await import('@inquirer/password')
  // On Ctrl-D the prompt stops reading and would never settle.
  const cancelled = new AbortController()
  process.stdin.once('pause', () => cancelled.abort())
  // Standard output is reserved for the command's result.
  const context = { output: process.stderr, signal: cancelled.signal }
  try {
    return await ask({ message, toggleMask: false, validate: async password => await whyNot(password) ?? true }, context)
  } catch (error) {
    // Ctrl-C and Ctrl-D, as the prompt names them.
    const isCancelled = error instanceof Error && ['ExitPromptError', 'AbortPromptError'].includes(error.name)
    throw isCancelled ? new CommandError('Nothing was changed.', { cause: error }) : error
  }
}

async function firstLine (): Promise<string> {
  const line = await readFirstLine(LONGEST_LINE)
  if (line === '') throw new CommandError('The password is missing. Type it at a terminal, or pass it as the first line of standard input.')
  return line
}
