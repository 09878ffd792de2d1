import { randomBytes } from 'node:crypto'
import { link, open, realpath, rename, rm, stat } from 'node:fs/promises'
import { CommandError } from '@frontdesk/service-kit/cli/errors'

/** Takes the next bytes of a file. */
export type Write = (bytes: Buffer) => Promise<void>

/**
 * Writes a file that has its name only once it is complete; only its owner can read it.
 * @param isReplaced whether it may be there before
 * @throws CommandError if it is there, or cannot be written; if it was made meanwhile, the message says where the new one is
 */
export async function writeWhole<T> (file: string, isReplaced: boolean, work: (write: Write) => Promise<T>, makeLink = link): Promise<T> {
  const found = await stat(file).catch(() => null)
  if (found?.isFile() === false) throw new CommandError(`${file} is not a file. Name one, or leave it out to write to standard output.`)
  if (found !== null && !isReplaced) throw new CommandError(`${file} already exists. Name another file, or add --force.`)
  // A link stays a link.
  const target = found === null ? file : await realpath(file)
  const unfinished = `${target}.${randomBytes(4).toString('hex')}.unfinished`
  const fail = (error: Error) => { throw new CommandError(`${file} cannot be written: ${error.message}.`, { cause: error }) }
  let isKept = false
  const handle = await open(unfinished, 'wx', 0o600).catch(fail)
  try {
    const result = await work(async bytes => await handle.writeFile(bytes).catch(fail))
    await handle.sync().catch(fail)
    await handle.close()
    if (isReplaced) await rename(unfinished, target).catch(fail)
    else isKept = !await renameNew(unfinished, target, makeLink).catch(fail)
    if (isKept) throw new CommandError(`${file} exists now, and was not replaced. The complete file is ${unfinished}.`)
    return result
  } finally {
    await handle.close()
    if (!isKept) await rm(unfinished, { force: true })
  }
}

/** Renames a file, and never replaces one. @returns `false`: there is one */
async function renameNew (from: string, to: string, makeLink: typeof link): Promise<boolean> {
  try {
    await makeLink(from, to).catch(async (error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error
      // A file system without hard links. The name is taken first, and then given to the file.
      await (await open(to, 'wx')).close()
      await rename(from, to)
    })
    return true
  } catch (error) {
    // as: what Node.js adds.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}
