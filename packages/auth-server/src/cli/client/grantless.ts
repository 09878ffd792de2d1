import type { Client } from '../../oauth/client.js'
import { hasEnded } from '../../oauth/implicit.js'
import { quote } from '@frontdesk/service-kit/showable'

/** Whether an app has no usable grant, so that it cannot get a token. */
export function isGrantless (
  { implicit, implicitUntil, grantTypes }: Pick<Client, 'implicit' | 'implicitUntil' | 'grantTypes'>,
  now: Date
): boolean {
  return grantTypes.length === 0 && hasEnded({ implicit, implicitUntil }, now)
}

/** The command that adds the code grant to an app. */
export function commandOf ({ id, callbacks }: Pick<Client, 'id' | 'callbacks'>): string {
  return `frontdesk-auth client update ${id} --grant authorization_code${callbacks.length === 0 ? ' --callback <uri>' : ''}`
}

/** A line that warns of an app without a usable grant; empty if it has one. @param now the database's time */
export function warnOfNone (client: Client, now: Date): string {
  if (!isGrantless(client, now)) return ''
  return `\nThe app ${quote(client.id)} has no usable grant. To add the code grant: ${commandOf(client)}`
}
