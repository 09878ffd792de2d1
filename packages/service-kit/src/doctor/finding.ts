/** Result of a check. `unchecked` is not an error: this machine cannot check it. */
export type State = 'ok' | 'warning' | 'wrong' | 'unchecked'

/** A result of a check, and what to do about it. */
export interface Finding {
  /** Name of the check: stable, for programs. */
  readonly check: string
  readonly state: State
  readonly sentence: string
  readonly remedy?: string
}

/** Makes functions that make a check's findings. */
export function findings (check: string) {
  const make = (state: State) => (sentence: string, remedy?: string): Finding =>
    ({ check, state, sentence, ...(remedy === undefined ? {} : { remedy }) })
  return { ok: make('ok'), warning: make('warning'), wrong: make('wrong'), unchecked: make('unchecked') }
}

export function worstState (all: readonly Finding[]): 'ok' | 'warning' | 'wrong' {
  return (['wrong', 'warning'] as const).find(state => all.some(finding => finding.state === state)) ?? 'ok'
}

/** Exit codes of `doctor`; every command exits with 2 for wrong usage. */
export const EXIT_CODES = { ok: 0, wrong: 1, warning: 3 } as const
