import { within } from './within.js'

/** Maximum length of a body that is read as a whole. */
const MAX_LENGTH = 2 ** 25

/** Last byte of an exported file, with `end=true`. */
const END_MARK = 4

/** A proxy can turn an interrupted response into a shorter or empty one. */
const interrupted = () => new Error('the response was interrupted')

/** @throws SyntaxError for another media type, which is not from the service; Error if the response was interrupted */
export function assertType ({ headers, body, status }: Response, expected: string): void {
  const type = headers.get('content-type')
  if (type?.toLowerCase().startsWith(expected)) return
  body?.cancel().catch(() => {})
  throw type === null && status === 200 ? interrupted() : new SyntaxError(`the answer is ${type ?? 'without a type'}, not ${expected}`)
}

/** Reads a JSON object. @throws SyntaxError if the member is missing: it is not from the service; Error if it was interrupted */
export function jsonWith<T> (member: keyof T & string) {
  return async (response: Response, signal: AbortSignal): Promise<T> => {
    const text = await readText(response, signal)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw interrupted()
    }
    if (!(value instanceof Object && member in value)) throw new SyntaxError(`the answer has no ${member}`)
    // as: the service's response.
    return value as T
  }
}

/** Passes on a file without its end mark. The stream fails without a mark: then the file is incomplete. */
export function createEndCheck (): TransformStream<Uint8Array, Uint8Array> {
  let isComplete = false
  return new TransformStream({
    transform (chunk, controller) {
      isComplete = chunk.at(-1) === END_MARK
      controller.enqueue(isComplete ? chunk.subarray(0, -1) : chunk)
    },
    flush () {
      if (!isComplete) throw interrupted()
    }
  })
}

/** Reads the text of a response. @throws SyntaxError if it is too long */
export async function readText ({ body }: Response, signal: AbortSignal): Promise<string> {
  let text = ''
  // !: a response with a type has a body.
  for await (const chunk of readChunks(body!, signal)) text = assertLength(text + chunk, MAX_LENGTH)
  return text
}

/** @throws SyntaxError */
export function assertLength (text: string, max: number): string {
  if (text.length > max) throw new SyntaxError(`longer than ${max} characters`)
  return text
}

/** Reads a body until it ends. @throws the signal's reason, a TimeoutError after a silence, or an error of the body */
export async function * readChunks (
  body: ReadableStream<Uint8Array>, signal: AbortSignal | undefined, silenceMs?: number
): AsyncGenerator<string, void, undefined> {
  const reader = body.getReader()
  const decoder = new TextDecoder()
  try {
    for (;;) {
      const { value, done } = await within(reader.read(), signal, silenceMs)
      if (done) return
      yield decoder.decode(value, { stream: true })
    }
  } finally {
    reader.cancel().catch(() => {})
  }
}
