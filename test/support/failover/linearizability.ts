/** What a customer is: its address, `null` while there is none. Every write has an address of its own. */
export type State = string | null

/** One request about a customer, and how it was answered. */
export interface Operation {
  readonly kind: 'read' | 'register' | 'change' | 'remove'
  /** The address that was written, or that a read found. */
  readonly address: string | null
  /** If the write had If-Match: the address that was read with this ETag. */
  readonly from?: string | null
  /** Status of the answer. */
  readonly status: number
  /** When it was sent and answered, by one clock. */
  readonly sent: number
  readonly answered: number
}

/** Statuses after which a write may have happened, may still happen, or never will: no answer, and 503. */
const UNKNOWN = new Set([0, 503])

/** Whether the outcome of an operation is unknown. */
export function isUnknown ({ status }: Operation): boolean {
  return UNKNOWN.has(status)
}

/**
 * Whether the history of a customer, who does not exist at first, is linearizable: whether each operation can have
 * happened in one moment between request and answer (Herlihy and Wing, 1990), and one of unknown outcome in one moment
 * after its request, or never. Searches as Wing and Gong do, and remembers where it has been, as Lowe does.
 * @returns where the search got furthest and which operations cannot follow there, in a sentence; `null` if it is linearizable
 */
export function whyNotLinearizable (history: readonly Operation[]): string | null {
  // A read or a refusal without a known answer says nothing.
  const operations = history.filter(operation => !(operation.kind === 'read' && isUnknown(operation)))
    .sort((one, other) => one.sent - other.sent)
  const been = new Set<string>()
  let furthest = { done: -1, next: [] as Operation[], state: null as State }

  // Each entry is a moment: which operations have happened, and what the customer is then.
  const open: Array<{ happened: bigint, done: number, state: State }> = [{ happened: 0n, done: 0, state: null }]
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    const { happened, done, state } = at
    const remaining = operations.flatMap((operation, index) => (happened >> BigInt(index)) & 1n ? [] : [{ operation, index }])
    const firstAnswer = Math.min(...remaining.map(({ operation }) => isUnknown(operation) ? Infinity : operation.answered))
    if (firstAnswer === Infinity) return null
    const next = remaining.filter(({ operation }) => operation.sent <= firstAnswer)
    if (done > furthest.done) furthest = { done, state, next: next.map(({ operation }) => operation) }
    for (const { operation, index } of next) {
      const after = apply(state, operation)
      // One of unknown outcome that changes nothing need not have happened.
      if (after === undefined || (isUnknown(operation) && after === state)) continue
      const then = happened | (1n << BigInt(index))
      const key = `${then} ${after}`
      if (been.has(key)) continue
      been.add(key)
      open.push({ happened: then, done: done + (isUnknown(operation) ? 0 : 1), state: after })
    }
  }
  const answers = furthest.next.filter(operation => !isUnknown(operation)).map(describe).join('; ')
  return `after ${furthest.done} answers, the address is ${furthest.state}, and none of these is right: ${answers}`
}

/** What the customer is after an operation; `undefined` if it cannot have been answered so. */
function apply (state: State, { kind, address, from, status }: Operation): State | undefined {
  const matches = state !== null && (from === undefined || from === state)
  switch (status) {
    case 200: return kind === 'read' && state !== null && state === address ? state : undefined
    case 201: return kind === 'register' && state === null ? address : undefined
    case 204: return kind === 'change' || kind === 'remove' ? (matches ? address : undefined) : undefined
    case 404: return kind !== 'register' && state === null ? null : undefined
    case 409: return kind === 'register' && state !== null ? state : undefined
    case 412: return from !== undefined && state !== null && !matches ? state : undefined
    case 0:
    case 503: return (kind === 'register' ? state === null : matches) ? address : state
    default: return undefined
  }
}

/** An operation in words, for a person who looks for the mistake. */
export function describe ({ kind, address, from, status, sent, answered }: Operation): string {
  const condition = from === undefined ? '' : ` from ${from}`
  return `${Math.round(sent)}–${Math.round(answered)} ms ${kind} ${address ?? 'none'}${condition}: ${status}`
}

/**
 * Whether a customer's acknowledged writes, together with those of unknown outcome, explain what was read at the end.
 * @param end what was found after all of them, by one read
 */
export function whyLost (history: readonly Operation[], end: Operation): string | null {
  if (isUnknown(end)) return `the last read was not answered: ${describe(end)}`
  const writes = history.filter(({ kind, status }) => kind !== 'read' && (UNKNOWN.has(status) || (status >= 200 && status < 300)))
  return whyNotLinearizable([...writes, end])
}
