/**
 * Runs work that Ctrl-C or SIGTERM can stop. Then prints a sentence and ends this process with the signal, so that a shell
 * stops a loop of commands, too. A second signal ends it immediately.
 */
export async function interruptible<T> (sentence: string, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const stopping = new AbortController()
  const stop = (signal: NodeJS.Signals) => { stopping.abort(signal) }
  const signals = ['SIGINT', 'SIGTERM'] as const
  for (const signal of signals) process.once(signal, stop)
  try {
    return await work(stopping.signal)
  } finally {
    for (const signal of signals) process.off(signal, stop)
    if (stopping.signal.aborted) {
      console.error(sentence)
      // as: `stop` passes the signal as the reason.
      process.kill(process.pid, stopping.signal.reason as NodeJS.Signals)
    }
  }
}
