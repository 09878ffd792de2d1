/** Result of a check. `unchecked` is not an error: this machine cannot check it. */
export type State = 'ok' | 'warning' | 'wrong' | 'unchecked'

/** A sentence, or an object that writes itself as one. */
export type Sentence = string | { readonly toString: () => string, readonly toJSON: () => string }

/** A result of a check, and what to do about it. */
export interface Finding<Text extends Sentence = string> {
  /** Name of the check: stable, for programs. */
  readonly check: string
  readonly state: State
  readonly sentence: Text
  readonly remedy?: Text
}

/** Makes functions that make a check's findings. */
export function findings<Text extends Sentence = string> (check: string) {
  const make = (state: State) => (sentence: Text, remedy?: Text): Finding<Text> =>
    ({ check, state, sentence, ...(remedy === undefined ? {} : { remedy }) })
  return { ok: make('ok'), warning: make('warning'), wrong: make('wrong'), unchecked: make('unchecked') }
}

export function worstState (all: ReadonlyArray<Pick<Finding, 'state'>>): 'ok' | 'warning' | 'wrong' {
  return (['wrong', 'warning'] as const).find(state => all.some(finding => finding.state === state)) ?? 'ok'
}

/** Exit codes of `doctor`; every command exits with 2 for wrong usage. */
export const EXIT_CODES = { ok: 0, wrong: 1, warning: 3 } as const
