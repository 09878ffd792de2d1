import type { Auth } from '../../config.js'
import { explain } from '@frontdesk/service-kit/doctor/explain'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { fetchRevocations } from '../../revocations/feed-reader.js'

const { ok, warning, wrong } = findings('revocations')

/** Checks that the revocation feed of the authorization server can be fetched. */
export async function * checkRevocations ({ revocationsUrl: url, revocationsMaxAge }: Auth): AsyncGenerator<Finding> {
  if (url === null) {
    return yield warning('REVOCATIONS_URL is none: revoked tokens are accepted until they expire.',
      'Remove it if the issuer is a Frontdesk auth-server.')
  }
  try {
    await fetchRevocations(url, '')
    yield ok(`The authorization server publishes revocations at ${url}.`)
  } catch (error) {
    const [sentence, remedy] = explain({ what: 'The revocation feed', url, setting: 'REVOCATIONS_URL' }, error)
    yield wrong(`${sentence} Every token is refused with 503, ${revocationsMaxAge} s after the last answer.`,
      `${remedy} For an issuer without a revocation feed, set REVOCATIONS_URL=none.`)
  }
}
