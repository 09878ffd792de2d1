import { within } from './within.js'

/** The longest body that is read as a whole, in characters. */
const MAX_LENGTH = 2 ** 25

/** With `end=true`, an exported file ends with it. */
const END_MARK = 4

/** What a proxy makes of a response that breaks off is shorter, or empty. */
const brokenOff = () => new Error('the answer breaks off')

/** @throws SyntaxError if the response has another media type: it is not that of the service; or an Error if it broke off */
export function assertType ({ headers, body, status }: Response, expected: string): void {
  const type = headers.get('content-type')
  if (type?.toLowerCase().startsWith(expected)) return
  body?.cancel().catch(() => {})
  throw type === null && status === 200 ? brokenOff() : new SyntaxError(`the answer is ${type ?? 'without a type'}, not ${expected}`)
}

/** Reads the JSON object of a response. @throws SyntaxError if it lacks a member: it is another one; or an Error if it broke off */
export function jsonWith<T> (member: keyof T & string) {
  return async (response: Response, signal: AbortSignal): Promise<T> => {
    const text = await readText(response, signal)
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch {
      throw brokenOff()
    }
    if (!(value instanceof Object && member in value)) throw new SyntaxError(`the answer has no ${member}`)
    // as: the service answers so.
    return value as T
  }
}

/** Passes on a file without the mark at its end. The stream fails if it has none: then it is not complete. */
export function createEndCheck (): TransformStream<Uint8Array, Uint8Array> {
  let isComplete = false
  return new TransformStream({
    transform (chunk, controller) {
      isComplete = chunk.at(-1) === END_MARK
      controller.enqueue(isComplete ? chunk.subarray(0, -1) : chunk)
    },
    flush () {
      if (!isComplete) throw brokenOff()
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

/** Reads a body until it ends. @throws the reason of the signal, a TimeoutError after a silence, or why the body broke off */
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
