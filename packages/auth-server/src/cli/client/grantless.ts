import type { Client } from '../../oauth/client.js'
import { hasEnded } from '../../oauth/implicit.js'
import { quote } from '../text.js'

/** Whether an app has no usable grant, so that it cannot get a token. */
export function isGrantless ({ implicit, implicitUntil, grantTypes }: Pick<Client, 'implicit' | 'implicitUntil' | 'grantTypes'>, now: Date): boolean {
  return grantTypes.length === 0 && hasEnded({ implicit, implicitUntil }, now)
}

/** The command that gives an app a grant. */
export function commandOf ({ id, callbacks }: Pick<Client, 'id' | 'callbacks'>): string {
  return `frontdesk-auth client update ${id} --grant authorization_code${callbacks.length === 0 ? ' --callback <uri>' : ''}`
}

/** One more line for the output of a command that leaves an app without a grant, else an empty text. */
export function warnOfNone (client: Client, now = new Date()): string {
  if (!isGrantless(client, now)) return ''
  return `\nThe app ${quote(client.id)} has no usable grant now. To give it the code grant: ${commandOf(client)}`
}
