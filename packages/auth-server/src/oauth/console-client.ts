import type { Client } from './client.js'

/** The `client_id` of the administration console. No one else can register, change or remove it. */
export const CONSOLE_ID = 'frontdesk-console'

/** Whether a client is the console: a part of this server, so that users need not allow it anything. */
export function isConsole ({ id }: Pick<Client, 'id'>): boolean {
  return id === CONSOLE_ID
}
