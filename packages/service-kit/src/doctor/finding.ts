/** Result of a check. `unchecked`: it cannot be checked from this machine, which is not an error. */
export type State = 'ok' | 'warning' | 'wrong' | 'unchecked'

/** A result of a check, with its sentence. */
export interface Finding {
  /** Name of the check: stable, for programs. */
  readonly check: string
  readonly state: State
  /** What was found, for people. */
  readonly sentence: string
  /** What to do about it. */
  readonly remedy?: string
}

/** Functions that make the findings of one check. */
export function findings (check: string) {
  const make = (state: State) => (sentence: string, remedy?: string): Finding =>
    ({ check, state, sentence, ...(remedy === undefined ? {} : { remedy }) })
  return { ok: make('ok'), warning: make('warning'), wrong: make('wrong'), unchecked: make('unchecked') }
}

/** The worst state of all findings. */
export function statusOf (all: readonly Finding[]): 'ok' | 'warning' | 'wrong' {
  return (['wrong', 'warning'] as const).find(state => all.some(finding => finding.state === state)) ?? 'ok'
}

/** Exit codes of `doctor`; 2 is wrong usage, as for every command. */
export const EXIT_CODES = { ok: 0, wrong: 1, warning: 3 } as const
