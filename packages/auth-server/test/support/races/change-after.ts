import pLimit from 'p-limit'

/**
 * Sends requests at once, and starts a change when `count` of them were answered: while some are done and the others wait, on however
 * slow a machine. Returns their answers.
 * @param inFlight for requests that wait for nothing and are answered together: how many are sent at once, and one after each answer
 */
export async function changeAfter<T> (
  count: number, change: () => Promise<unknown>, requests: ReadonlyArray<() => Promise<T>>, inFlight = requests.length
): Promise<T[]> {
  const limit = pLimit(inFlight)
  let answered = 0
  let start = () => {}
  const due = new Promise<void>(resolve => { start = resolve })
  if (count === 0) start()
  const [, ...answers] = await Promise.all([
    due.then(change),
    ...requests.map(async request => await limit(async () => {
      const answer = await request()
      if (++answered === count) start()
      return answer
    }))
  ])
  return answers
}
