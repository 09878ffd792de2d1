/**
 * Settles like the promise, or rejects when the signal aborts or the time is over. Not with fetch's signal: in Node.js, a garbage
 * collection disconnects it while a body is read.
 */
export async function within<T> (promise: T | Promise<T>, signal: AbortSignal | undefined, ms?: number): Promise<T> {
  let stop = () => {}
  let timer: ReturnType<typeof setTimeout> | undefined
  const ended = new Promise<never>((resolve, reject) => {
    signal?.throwIfAborted()
    stop = () => { reject(signal?.reason) }
    signal?.addEventListener('abort', stop)
    if (ms !== undefined) timer = setTimeout(() => { reject(new DOMException(`none within ${ms} ms`, 'TimeoutError')) }, ms)
  })
  try {
    return await Promise.race([promise, ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', stop)
  }
}
