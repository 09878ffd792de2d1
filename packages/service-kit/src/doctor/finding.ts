/** How a check ended: `unchecked` is what cannot be seen from here, and is no fault. */
export type State = 'ok' | 'warning' | 'wrong' | 'unchecked'

/** What one check found. */
export interface Finding {
  /** Name of the check: fixed, for programs. */
  readonly check: string
  readonly state: State
  /** What is so, for people. */
  readonly sentence: string
  /** What to do about it. */
  readonly remedy?: string
}

/** Makers of the findings of one check. */
export function findings (check: string) {
  const make = (state: State) => (sentence: string, remedy?: string): Finding =>
    ({ check, state, sentence, ...(remedy === undefined ? {} : { remedy }) })
  return { ok: make('ok'), warning: make('warning'), wrong: make('wrong'), unchecked: make('unchecked') }
}

/** The worst of them. */
export function statusOf (all: readonly Finding[]): 'ok' | 'warning' | 'wrong' {
  return (['wrong', 'warning'] as const).find(state => all.some(finding => finding.state === state)) ?? 'ok'
}

/** Exit code of a self-check; 2 is wrong usage, as of every command. */
export const EXIT_CODES = { ok: 0, wrong: 1, warning: 3 } as const
