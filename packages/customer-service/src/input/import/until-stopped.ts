import { serviceOverloaded } from '../../problems/service.js'

/**
 * Passes on a body until the process stops. Then the caller gets an error instead of a closed connection.
 * @throws ProblemError `service-overloaded`
 */
export function untilStopped (body: AsyncIterable<Buffer>, signal: AbortSignal): AsyncIterable<Buffer> {
  return {
    [Symbol.asyncIterator]: () => {
      const chunks = body[Symbol.asyncIterator]()
      return {
        next: async () => await orStopped(chunks.next(), signal),
        return: async () => await chunks.return?.() ?? { done: true, value: undefined }
      }
    }
  }
}

async function orStopped<T> (work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop = () => {}
  const stopped = new Promise<never>((resolve, reject) => {
    stop = () => { reject(serviceOverloaded('This process is stopping. Send the file again: report has what was registered.')) }
    if (signal.aborted) stop()
    else signal.addEventListener('abort', stop)
  })
  return await Promise.race([work, stopped]).finally(() => { signal.removeEventListener('abort', stop) })
}
