import type { AccessToken } from '@frontdesk/schemas/access-token'
import { hash } from 'node:crypto'
import type { Attempt, CustomerRecord } from '../stores/customers/customer-record.js'

/**
 * Tells attempts to add a customer from each other: a key is its caller's own, who is a person with an app, or everybody
 * where no tokens are needed.
 */
export function identifyAttempt (key: string, caller: Pick<AccessToken, 'sub' | 'client_id'> | null, { id, name, age, address }: Omit<CustomerRecord, 'version'>): Attempt {
  return {
    hash: digest(caller === null ? [key] : [key, caller.sub, caller.client_id]),
    // With the key, so that nobody finds out what was sent by trying.
    fingerprint: digest([key, id, name, age, address])
  }
}

function digest (parts: Array<string | number>) {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
