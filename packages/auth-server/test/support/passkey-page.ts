import { createPasskey } from '@frontdesk/test-kit/passkey'
import type { LightMyRequestResponse } from 'fastify'
import { challengeOf } from '../../src/factors/relying-party.js'
import { SITE } from './factors.js'
import { formTokenOf } from './helper.js'

/** The fields that confirm the passkey of a creation page. */
export function creationOf (page: LightMyRequestResponse): { name: string, code: string } {
  return { name: 'Phone', code: createPasskey(SITE).create({ challenge: challengeOf(formTokenOf(page)) }) }
}
