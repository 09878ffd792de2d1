import { expiring } from '@frontdesk/database/expired'
import * as tables from '../generated/tables.js'
import { REVOCATION_MARGIN } from '../lifetimes.js'

const HOUR_MS = 60 * 60_000

/** Tables whose rows expire, in the order of the clean-up. */
export const EXPIRING = {
  session: expiring(tables.session, 'idHash', 'expiresAt'),
  'console session': expiring(tables.consoleSession, 'idHash', 'expiresAt'),
  'trusted browser': expiring(tables.trustedBrowser, 'idHash', 'expiresAt'),
  grant: expiring(tables.accessGrant, 'id', 'expiresAt'),
  throttle: expiring(tables.throttle, 'key', 'expire'),
  /** Kept for a day to detect reuse. */
  code: expiring(tables.authorizationCode, 'hash', 'expiresAt', 24 * HOUR_MS),
  /** Kept for an hour to tell the device that it expired. */
  'device code': expiring(tables.deviceCode, 'hash', 'expiresAt', HOUR_MS),
  'client session': expiring(tables.clientSession, ['sid', 'clientId', 'epoch'], 'endsAt'),
  'refresh token': expiring(tables.refreshToken, 'familyHash', 'expiresAt'),
  'pushed request': expiring(tables.pushedRequest, 'hash', 'endsAt'),
  'spent id': expiring(tables.spentId, 'idHash', 'expiresAt'),
  'registration token': expiring(tables.registrationToken, 'id', 'expiresAt'),
  'sign-up code': expiring(tables.signUpCode, 'id', 'expiresAt'),
  'admin request': expiring(tables.adminRequest, 'id', 'expiresAt'),
  revocation: expiring(tables.revocation, 'id', 'endsAt', REVOCATION_MARGIN * 1_000)
}

/** Their names, which are labels of metrics. as: the keys of a constant. */
export const expiringTables = Object.keys(EXPIRING) as Array<keyof typeof EXPIRING>
