import type { Auth } from '../../config.js'
import { explain } from '@frontdesk/service-kit/doctor/explain'
import { findings, type Finding } from '@frontdesk/service-kit/doctor/finding'
import { fetchRevocations } from '../../revocations/fetch-revocations.js'

const { ok, warning, wrong } = findings('revocations')

/** Checks that the revocation feed of the authorization server can be fetched. */
export async function * checkRevocations ({ revocationsUrl: url, revocationsMaxAge }: Auth): AsyncGenerator<Finding> {
  if (url === null) {
    yield warning('REVOCATIONS_URL is none: a token goes on until its end, even if its access was taken back.', 'Leave it out if the issuer is a Frontdesk auth-server.')
    return
  }
  try {
    await fetchRevocations(url, '')
    yield ok(`The authorization server tells at ${url} what was revoked.`)
  } catch (error) {
    const [sentence, remedy] = explain({ what: 'The list of revoked access', url, setting: 'REVOCATIONS_URL' }, error)
    yield wrong(`${sentence} Every token is refused with 503, ${revocationsMaxAge} s after the last answer.`, `${remedy} For an issuer that tells of no revocations, set REVOCATIONS_URL=none.`)
  }
}
