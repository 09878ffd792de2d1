import { isOutOfReach } from '../outgoing/failure.js'
import { fetchJson, type Answer } from '../outgoing/fetch-json.js'
import { explain, type Asked } from './explain.js'
import { findings, type Finding } from './finding.js'

interface Options {
  /** Name of the check. */
  readonly check: string
  /** As in "If the server runs …". */
  readonly noun: 'server' | 'service'
  /** Additional advice. */
  readonly hint?: string
  readonly headers?: Record<string, string>
}

/** Fetches a document of this service at its public address. Yields why it cannot, and then returns `undefined`. */
export async function * fetchPublic (
  asked: Asked, { check, noun, hint, headers = {} }: Options
): AsyncGenerator<Finding, Answer | undefined> {
  const { warning, wrong } = findings(check)
  try {
    return await fetchJson(asked.url, { headers })
  } catch (error) {
    const [sentence, remedy] = explain(asked, error)
    if (isOutOfReach(error)) yield warning(sentence, `If the ${noun} runs and can be reached from other machines, ignore this. ${remedy}`)
    else yield wrong(sentence, hint === undefined ? remedy : `${remedy} ${hint}`)
    return undefined
  }
}
