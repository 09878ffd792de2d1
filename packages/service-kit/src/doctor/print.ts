import { styleText } from 'node:util'
import { showable } from '../terminal/showable.js'
import { EXIT_CODES, statusOf, type Finding, type State } from './finding.js'

const SIGNS: Record<State, readonly [sign: string, colour: 'green' | 'yellow' | 'red' | 'gray']> = {
  ok: ['✓', 'green'], warning: ['!', 'yellow'], wrong: ['✗', 'red'], unchecked: ['?', 'gray']
}

const CONCLUSIONS = {
  ok: 'All is well.',
  warning: 'Nothing is wrong, but see the lines marked with !.',
  wrong: 'Something is wrong: see the lines marked with ✗.'
}

/** Prints each finding as it comes, or all of them as JSON at the end, and sets the exit code. */
export async function report (found: AsyncIterable<Finding>, { json }: { readonly json?: true }): Promise<void> {
  const all: Finding[] = []
  for await (const finding of found) {
    all.push(finding)
    if (!json) process.stdout.write(`${lineOf(finding)}\n`)
  }
  const status = statusOf(all)
  process.stdout.write(`${json ? JSON.stringify({ status, findings: all }, null, 2) : `\n${CONCLUSIONS[status]}`}\n`)
  process.exitCode = EXIT_CODES[status]
}

function lineOf ({ state, sentence, remedy }: Finding): string {
  const [sign, colour] = SIGNS[state]
  // Without colour if the output is not a terminal, or NO_COLOR is set.
  const head = `${styleText(colour, sign, { stream: process.stdout })} ${showable(sentence)}`
  return remedy === undefined ? head : `${head}\n    ${showable(remedy)}`
}
