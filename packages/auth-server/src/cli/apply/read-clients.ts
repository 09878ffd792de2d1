import { readFileSync } from 'node:fs'
import { LineCounter, parseDocument } from 'yaml'
import { wantedOf, type ClientsFile, type Wanted } from '../../admin/clients-file.js'
import { findFileFaults, sentenceOf } from '../../admin/file-faults.js'
import { withoutNulls } from '../../input/without-nulls.js'
import { CommandError, assertNone } from '@frontdesk/service-kit/cli/errors'
import { lineFinder, type LineOf } from './lines.js'
import { findShapeFaults } from './shape.js'

/**
 * Reads a clients file, YAML or JSON; `-` is standard input.
 * @param schemes private-use ones without a dot that callbacks can have
 * @throws CommandError with every error and its line
 */
export async function readClients (file: string, schemes: readonly string[]): Promise<Wanted> {
  const { value, lineOf } = parse(file)
  const faults = [...findShapeFaults(value), ...await findFileFaults(value, schemes)]
  const lines = faults.map(fault => ({ line: lineOf(fault.path), sentence: sentenceOf(fault, value) }))
  assertNone(...lines.sort((one, other) => one.line - other.line).map(({ line, sentence }) => `${placeOf(file, line)}: ${sentence}`))
  // as: its shape was checked above.
  return wantedOf(value as ClientsFile)
}

function parse (file: string): { value: unknown, lineOf: LineOf } {
  const text = attempt(file, () => readFileSync(file === '-' ? 0 : file, 'utf8'))
  const lineCounter = new LineCounter()
  const document = attempt(file, () => parseDocument(text, { uniqueKeys: true, prettyErrors: false, lineCounter }))
  assertNone(
    ...document.errors.map(
      ({ message, pos: [offset] }) => `${placeOf(file, lineCounter.linePos(offset).line)}: This is not YAML. ${message}.`
    )
  )
  // Nested aliases can expand to more than fits into memory.
  return { value: attempt(file, () => withoutNulls(document.toJS({ maxAliasCount: 100 }))), lineOf: lineFinder(document, lineCounter) }
}

/** A location in the format of compilers, which editors can jump to. */
function placeOf (file: string, line: number): string {
  return file === '-' ? `Standard input, line ${line}` : `${file}:${line}`
}

function attempt<T> (file: string, read: () => T): T {
  try {
    return read()
  } catch (cause) {
    const name = file === '-' ? 'Standard input' : file
    throw new CommandError(`${name} cannot be read: ${cause instanceof Error ? cause.message : cause}.`, { cause })
  }
}
