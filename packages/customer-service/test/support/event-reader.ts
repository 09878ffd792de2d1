import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import type { Test } from 'tap'
import { PATH } from './helper.js'

/** Opens an event stream over HTTP. @param headers in addition to Accept */
export async function openStream (t: Test, port: number, query: string, headers: Record<string, string>) {
  const message = request({ port, path: `${PATH}/events${query}`, headers: { accept: 'text/event-stream', ...headers } }).end()
  message.on('error', () => {})
  t.teardown(() => message.destroy())
  // as: that is what the event `response` carries.
  const [response] = await once(message, 'response') as [IncomingMessage]
  let text = ''
  response.on('error', () => {}).setEncoding('utf8')
  const blocks = response[Symbol.asyncIterator]()

  return {
    response,
    close: () => message.destroy(),
    /** The next block, without the blank line that ends it; `undefined` at the end of the stream. */
    async next (): Promise<string | undefined> {
      while (!text.includes('\n\n')) {
        const { value, done } = await blocks.next()
        if (done === true) return undefined
        text += value
      }
      const [block = ''] = text.split('\n\n', 1)
      text = text.slice(block.length + 2)
      return block
    }
  }
}

/** The subject of an event in a block. */
export function subjectOf (block: string | undefined): string {
  return JSON.parse(/^data: (.*)$/m.exec(block ?? '')![1]!).subject
}
