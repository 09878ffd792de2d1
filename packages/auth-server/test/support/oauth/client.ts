import type { Client } from '../../../src/oauth/client.js'
import { DEFAULTS } from '../../../src/stores/clients/client-row.js'

/** A registered client as the store gives it: one callback, everything else as usual. */
export const registered = (changes: Partial<Client> = {}): Client => ({
  ...DEFAULTS,
  id: 'app',
  name: 'An app',
  callbacks: ['https://app.example/cb'],
  resources: ['https://files.example'],
  defaultScope: 'customer:read',
  implicit: 'allowed',
  withoutPkceAt: null,
  pairwiseSalt: null,
  logoName: null,
  disabledAt: null,
  usedAt: null,
  createdAt: new Date('2030-01-01T00:00:00Z'),
  ...changes
})
