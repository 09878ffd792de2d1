import { once } from 'node:events'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import type { Test } from 'tap'

/** What happens on the way to a service. */
export type Mishap = 'the answer was lost' | 'another client was quicker'

/**
 * A proxy before customer-service, on whose way happens what seldom does: of the first POST the answer is lost and 503 given,
 * and just before the first PATCH another client changes the customer.
 * @param change the change of the other client, with the path of the customer
 * @returns what happened since the last call, which resets the mishaps
 */
export async function startMishaps (
  t: Test,
  port: number,
  service: string,
  change: (path: string) => Promise<unknown>
): Promise<() => Mishap[]> {
  const happened: Mishap[] = []
  const isDue = (mishap: Mishap) => !happened.includes(mishap) && happened.push(mishap) > 0
  const server = createServer((incoming, outgoing) => {
    const passOn = (answered = relay) => {
      const { method, url, headers } = incoming
      incoming.pipe(request(new URL(url!, service), { method, headers, agent: false }, answer => { answered(answer, outgoing) }))
    }
    if (incoming.method === 'POST' && isDue('the answer was lost')) passOn(lose)
    else if (incoming.method === 'PATCH' && isDue('another client was quicker')) change(incoming.url!).then(() => { passOn() }, t.threw)
    else passOn()
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  t.teardown(() => { server.close(); server.closeAllConnections() })
  return () => happened.splice(0)
}

function relay (answer: IncomingMessage, outgoing: ServerResponse): void {
  answer.pipe(outgoing.writeHead(answer.statusCode!, answer.rawHeaders))
}

function lose (answer: IncomingMessage, outgoing: ServerResponse): void {
  answer.resume().on('end', () => { outgoing.writeHead(503, { 'retry-after': '1' }).end() })
}
