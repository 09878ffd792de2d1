import { Outgoing } from '@frontdesk/service-kit/outgoing/outgoing'
import type { FormKeys } from '../../consent/form-keys.js'
import type { Config } from '../../config.js'
import { single } from '../../oauth/parameters.js'
import type { Upstream } from '../../settings/upstream.js'
import { createUpstreamProvider } from '../../sign-in/upstream-provider.js'
import { createRoundTrips } from '../../sign-in/upstream-round-trip.js'
import type { Stores } from '../../stores/stores.js'
import { UPSTREAM_DECISION, type EnrollDuringSignIn } from '../sign-in/step-form.js'
import { createUpstreamStart } from './begin.js'
import routes from './index.js'

/** Maximum concurrent requests of this replica to the upstream provider. */
const MAX_REQUESTS = 20

/** What sign-ins with the upstream provider need, and its routes. */
export function createUpstreamParts (
  config: Config, upstream: Upstream, { stores, formKeys }: { stores: Pick<Stores, 'clock'>, formKeys: FormKeys }
) {
  const { issuer } = config
  const outgoing = new Outgoing({ ...config, maxAtOnce: MAX_REQUESTS })
  const provider = createUpstreamProvider({ upstream, callback: `${issuer}/upstream/callback`, outgoing, ...stores })
  const roundTrips = createRoundTrips(config)
  const start = createUpstreamStart({ roundTrips, provider, formKeys })
  /** Adds the answer to the button of sign-in pages. */
  const withButton = (steps: EnrollDuringSignIn): EnrollDuringSignIn => ({
    ...steps,
    async answer (reply, form) {
      const isButton = single(reply.request.form, 'decision') === UPSTREAM_DECISION
      return await (isButton ? start.signIn(reply, form) : steps.answer(reply, form))
    }
  })
  return { upstream, issuer, provider, roundTrips, start, withButton, routes }
}
