import type { AccessToken } from '@frontdesk/schemas/access-token'
import { hash } from 'node:crypto'
import type { NewCustomer } from '../stores/customers/customer-record.js'
import type { IdempotentRequest } from '../stores/idempotency/idempotency.js'

/** Identifies a request that adds a customer. Each user of each client has its own keys; without tokens, all callers share them. */
export function identifyRequest (
  key: string,
  caller: Pick<AccessToken, 'sub' | 'client_id'> | null,
  { id, name, age, address }: NewCustomer
): IdempotentRequest {
  return {
    hash: digest(caller === null ? [key] : [key, caller.sub, caller.client_id]),
    // Includes the key, which makes the values unguessable.
    fingerprint: digest([key, id, name, age, address])
  }
}

/** Identifies an import by its key and its caller. */
export function identifyImport (key: string, caller: Pick<AccessToken, 'sub' | 'client_id'> | null): string {
  return digest(['import', key, ...caller === null ? [] : [caller.sub, caller.client_id]])
}

function digest (parts: Array<string | number>) {
  return hash('sha256', JSON.stringify(parts), 'base64url')
}
