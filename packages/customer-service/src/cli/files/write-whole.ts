import { randomBytes } from 'node:crypto'
import { open, realpath, rename, rm, stat } from 'node:fs/promises'
import { CommandError } from '../command-error.js'

/** Takes the next bytes of a file. */
export type Write = (bytes: Buffer) => Promise<void>

/**
 * Writes a file that has its name only once it is complete; only its owner can read it.
 * @param isReplaced whether it may be there before
 * @throws CommandError if it is there, or cannot be written
 */
export async function writeWhole<T> (file: string, isReplaced: boolean, work: (write: Write) => Promise<T>): Promise<T> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() === false) throw new CommandError(`${file} is not a file. Name one, or leave it out to write to standard output.`)
  if (found !== null && !isReplaced) throw new CommandError(`${file} already exists. Name another file, or add --force.`)
  // A link stays a link.
  const target = found === null ? file : await realpath(file)
  const unfinished = `${target}.${randomBytes(4).toString('hex')}.unfinished`
  const fail = (error: Error) => { throw new CommandError(`${file} cannot be written: ${error.message}.`, { cause: error }) }
  const handle = await open(unfinished, 'wx', 0o600).catch(fail)
  try {
    const result = await work(async bytes => await handle.writeFile(bytes).catch(fail))
    await handle.sync().catch(fail)
    await handle.close()
    await rename(unfinished, target).catch(fail)
    return result
  } finally {
    await handle.close()
    await rm(unfinished, { force: true })
  }
}
