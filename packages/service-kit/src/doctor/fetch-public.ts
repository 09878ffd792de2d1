import { isOutOfReach } from '../outgoing/failure.js'
import { fetchJson, type Answer } from '../outgoing/fetch-json.js'
import { explain, type Asked } from './explain.js'
import { findings, type Finding } from './finding.js'

/** How a document of this service is fetched at its public address. */
interface Options {
  /** Name of the check. */
  readonly check: string
  /** As in "If the server runs …". */
  readonly noun: 'server' | 'service'
  /** What else to do if something is wrong. */
  readonly hint?: string
  readonly headers?: Record<string, string>
}

/** Fetches a document of this service at its public address. @returns `undefined` after the finding why it could not be fetched */
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
