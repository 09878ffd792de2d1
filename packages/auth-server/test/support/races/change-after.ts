/**
 * Sends requests at once, and starts a change when `count` of them were answered: while some are done and the others wait, on however
 * slow a machine. Returns their answers.
 */
export async function changeAfter<T> (
  count: number, change: () => Promise<unknown>, requests: ReadonlyArray<() => Promise<T>>
): Promise<T[]> {
  let answered = 0
  let start = () => {}
  const due = new Promise<void>(resolve => { start = resolve })
  if (count === 0) start()
  const [, ...answers] = await Promise.all([
    due.then(change),
    ...requests.map(async request => {
      const answer = await request()
      if (++answered === count) start()
      return answer
    })
  ])
  return answers
}
