import { showable } from '../showable.js'
import { command, type Api, type Define, type Terminal } from './command.js'
import type { Input, Options } from './option.js'
import { standardOutput, styled, wrap } from './table.js'
import { EXIT_CODES, worstState, type Finding, type Sentence, type State } from '../doctor/finding.js'

const SIGNS: Record<State, readonly [sign: string, color: 'green' | 'yellow' | 'red' | 'gray']> = {
  ok: ['✓', 'green'], warning: ['!', 'yellow'], wrong: ['✗', 'red'], unchecked: ['?', 'gray']
}

const CONCLUSIONS = {
  ok: 'All is well.',
  warning: 'Nothing is wrong, but see the lines marked with !.',
  wrong: 'Something is wrong: see the lines marked with ✗.'
}

type AnyFinding = Finding<Sentence>

/** The findings of `doctor`. */
interface Diagnosis { readonly status: keyof typeof CONCLUSIONS, readonly findings: readonly AnyFinding[] }

/** `doctor`: runs read-only checks, and prints each finding immediately, or all of them as JSON at the end. */
export function doctorCommand<const Table extends Options = Readonly<Record<never, never>>> ({ says, options, service, examine, remote }: {
  readonly says: string
  readonly options?: Table
  readonly service: string
  /** Begins the checks. */
  readonly examine: (input: Input<'doctor', Table>) => Promise<AsyncIterable<AnyFinding>>
  /** Lets a server check itself over its API. */
  readonly remote?: (api: Api) => Promise<readonly Finding[]>
}): Define {
  type Given = Input<'doctor', Table>
  const diagnose = async (
    found: AsyncIterable<AnyFinding> | readonly AnyFinding[], { json }: Given, { say }: Terminal
  ): Promise<Diagnosis> => {
    const all: AnyFinding[] = []
    for await (const finding of found) {
      all.push(finding)
      if (!json) say(formatFinding(finding))
    }
    return { status: worstState(all), findings: all }
  }
  return command('doctor', {
    says,
    ...options !== undefined && { options },
    more: `Reads the settings from its environment, as ${service} does, compares
them with those of the running service if it finds one, and changes nothing.
Exit codes: 0 all is well, 1 something is wrong, 2 wrong usage, 3 warnings only.`,
    run: async (input: Given, terminal) => await diagnose(await examine(input), input, terminal),
    ...remote !== undefined && { remote: async (api, input: Given, terminal) => await diagnose(await remote(api), input, terminal) },
    text: ({ status }) => `\n${CONCLUSIONS[status]}`,
    exitCode: ({ status }) => EXIT_CODES[status]
  })
}

function formatFinding ({ state, sentence, remedy }: AnyFinding): string {
  const [sign, color] = SIGNS[state]
  const head = `${styled(color, sign)} ${indented(String(sentence), 2)}`
  return remedy === undefined ? head : `${head}\n    ${indented(String(remedy), 4)}`
}

/** Wraps a text to the terminal, with its lines after the first indented. */
function indented (text: string, columns: number): string {
  return wrap(showable(text), standardOutput(), columns).join(`\n${' '.repeat(columns)}`)
}
