/** A rule that an input of an action breaks. */
interface Fault {
  /** The input that it concerns, as the action names it. */
  readonly field: string
  /** What is wrong, as text. */
  readonly sentence: string
}

/** An action that was refused: nothing was changed. `message` has a line for each fault. */
export class Refusal extends Error {
  readonly code: 'invalid' | 'unknown' | 'taken' | 'conflict'
  readonly faults: readonly Fault[]

  constructor (code: Refusal['code'], faults: readonly Fault[], options?: ErrorOptions) {
    super(faults.map(({ sentence }) => sentence).join('\n'), options)
    this.code = code
    this.faults = faults
  }
}

const define = (code: Refusal['code']) => (field: string, sentence: string, options?: ErrorOptions) =>
  new Refusal(code, [{ field, sentence }], options)

/** The input breaks a rule. */
export const invalid = define('invalid')
/** There is no such thing. */
export const unknown = define('unknown')
/** Another one has this name. */
export const taken = define('taken')
/** The input is valid, but not now. */
export const conflict = define('conflict')

/** @throws Refusal with every reason that is not null: those of each field, by its name */
export function assertValid (reasons: Readonly<Record<string, ReadonlyArray<string | null>>>): void {
  const faults = Object.entries(reasons)
    .flatMap(([field, sentences]) => sentences.flatMap(sentence => sentence === null ? [] : [{ field, sentence }]))
  if (faults.length > 0) throw new Refusal('invalid', faults)
}
