import { within } from './within.js'

/** The longest body that is read as a whole, in characters. */
const MAX_LENGTH = 2 ** 25

/** @throws SyntaxError if the answer has another media type: it is not that of the service */
export function assertType ({ headers, body }: Response, expected: string): void {
  const type = headers.get('content-type') ?? 'without a type'
  if (type.toLowerCase().startsWith(expected)) return
  body?.cancel().catch(() => {})
  throw new SyntaxError(`the answer is ${type}, not ${expected}`)
}

/** Reads the JSON object of an answer. @throws SyntaxError */
export async function readJson<T> (response: Response, signal: AbortSignal): Promise<T> {
  const value: unknown = JSON.parse(await readText(response, signal))
  if (!(value instanceof Object)) throw new SyntaxError('the answer is not an object')
  // as: the service answers so.
  return value as T
}

/** Reads the text of an answer. @throws SyntaxError if it is too long */
export async function readText ({ body }: Response, signal: AbortSignal): Promise<string> {
  let text = ''
  // !: an answer with a type has a body.
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
