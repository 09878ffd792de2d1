import { Connection } from './connection.js'
import { asker } from './drive.js'

/**
 * Sends requests on 32 connections and returns the responses in order, without measuring.
 * @param {number} port
 * @param {Iterable<import('./request.js').Request>} requests
 * @returns {Promise<import('./connection.js').Answer[]>}
 */
export async function askAll (port, requests) {
  const iterator = requests[Symbol.iterator]()
  const answers = []
  let index = 0
  await Promise.all(Array.from({ length: 32 }, async () => {
    const connection = new Connection(port)
    const ask = asker(connection)
    for (let it = iterator.next(); !it.done; it = iterator.next()) {
      const at = index++
      answers[at] = await ask(it.value)
    }
    connection.close()
  }))
  return answers
}

/** The values of a header of an answer: `headerOf(answer, 'set-cookie')`. */
export function headerOf ({ head }, name) {
  return head.split('\r\n').filter(line => line.toLowerCase().startsWith(`${name}:`)).map(line => line.slice(name.length + 1).trim())
}

/** The cookies that an answer sets, as the header that sends them back. */
export function cookiesOf (answer) {
  return headerOf(answer, 'set-cookie').map(it => it.split(';', 1)[0]).join('; ')
}
