/** Work that waits: `decide` starts it or gives it up. */
interface Waiting extends Rank { readonly decide: (isGranted: boolean) => void }

/** What decides who goes first: the lower failures, then the earlier round. */
interface Rank { readonly source: string, readonly failures: number, readonly round: number }

/**
 * Makes a function that does `width` things at once and lets `longest - width` wait. Sources without recent failures go
 * first, and sources with as many failures take turns. A full queue gives up what would come last, and gives `undefined`.
 */
export function createQueue (width: number, longest: number) {
  const waiting: Waiting[] = []
  const held = new Map<string, number>()
  let running = 0

  function hold (source: string, change: number) {
    const count = (held.get(source) ?? 0) + change
    if (count === 0) held.delete(source)
    else held.set(source, count)
  }

  function decide (chosen: Waiting, isGranted: boolean) {
    waiting.splice(waiting.indexOf(chosen), 1)
    if (isGranted) running++
    else hold(chosen.source, -1)
    chosen.decide(isGranted)
  }

  function startNext () {
    if (running < width && waiting.length > 0) decide(waiting.reduce((first, it) => compare(it, first) < 0 ? it : first), true)
  }

  return async function inTurn<T> (source: string, failures: number, work: () => Promise<T>): Promise<T | undefined> {
    const isGranted = await new Promise<boolean>(resolve => {
      waiting.push({ source, failures, round: held.get(source) ?? 0, decide: resolve })
      hold(source, 1)
      startNext()
      if (running + waiting.length > longest) decide(waiting.reduce((last, it) => compare(it, last) < 0 ? last : it), false)
    })
    if (!isGranted) return undefined
    try {
      return await work()
    } finally {
      running--
      hold(source, -1)
      startNext()
    }
  }
}

/** Below 0 if the one goes before the other; those that are equal go in the order in which they came. */
function compare (one: Rank, other: Rank): number {
  return one.failures - other.failures || one.round - other.round
}
