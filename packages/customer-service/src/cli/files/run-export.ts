import type { IncomingMessage } from 'node:http'
import { CommandError } from '@frontdesk/service-kit/cli/errors'
import { CustomerCount } from './count.js'
import { interruptible } from './interruptible.js'
import { formats, type Format } from './formats.js'
import { TransientError } from './transient-error.js'
import { Progress } from '@frontdesk/service-kit/cli/progress'
import { call, assertType, findService, lost } from './service.js'
import { writeAtomically, type Write } from './write-atomically.js'

/** Last byte of a complete file, with `end=true`: a proxy can hide that a transfer was interrupted. */
const END_MARK = 0x04

interface ExportOptions { readonly url: string, readonly format: Format, readonly bom: boolean, readonly force: boolean }

/**
 * Writes all customers to a file, or to standard output.
 * @returns their number; `null` if standard output was closed
 * @throws CommandError with the reason if the file is incomplete
 */
export async function runExport (file: string | undefined, { url, format, bom, force }: ExportOptions): Promise<number | null> {
  const service = findService(url)
  const progress = await Progress.open(process.stderr.isTTY && (file !== undefined || !process.stdout.isTTY))
  const headers = { accept: formats[format] }
  const unfinished = file === undefined ? 'The output is incomplete.' : 'No file was written.'

  return await interruptible(`Stopped. ${unfinished}`, async signal => {
    const request = { method: 'GET', headers, signal } as const
    const fetch = async (write: Write) => await call(service, `/export?bom=${bom}&end=true`, request, async response => {
      assertType(response, formats[format], service.url)
      progress.start('Exporting', { unit: 'customers' })
      return await copy(response, write)
    })
    try {
      return file === undefined ? await fetch(print) : await writeAtomically(file, force, fetch)
    } catch (error) {
      if (error instanceof OutputFailure) return null
      throw error instanceof TransientError ? new CommandError(`${error.message} ${unfinished}`, { cause: error }) : error
    } finally {
      progress.stop()
    }
  })

  /** @returns the number of customers */
  async function copy (response: IncomingMessage, write: Write): Promise<number> {
    const count = new CustomerCount(format)
    let isComplete = false
    // as: no encoding is set.
    for await (const bytes of response as AsyncIterable<Buffer>) {
      isComplete = bytes.at(-1) === END_MARK
      const part = isComplete ? bytes.subarray(0, -1) : bytes
      progress.add(count.add(part))
      await write(part)
    }
    if (!isComplete) throw lost(service.url)
    return count.customers
  }
}

/** Standard output is closed or full. The program reports it, unless the reader has closed it. */
class OutputFailure extends Error {}

async function print (bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    process.stdout.write(bytes, error => error == null ? resolve() : reject(error))
  }).catch(() => { throw new OutputFailure('standard output cannot be written') })
}
