import type { OutgoingRule } from '@frontdesk/service-kit/outgoing/outgoing'
import { reason, type Reason } from '../languages/reason.js'

const KEYS = {
  https: 'uri.rule.https',
  'an https URL': 'uri.rule.https-url',
  'at a public address': 'uri.rule.public',
  'an address that can be reached': 'uri.rule.reachable',
  'without user name and fragment': 'uri.rule.without-user'
} as const

/** The rule that a URL to send requests to breaks, for a sentence. */
export function outgoingRule (rule: OutgoingRule): Reason {
  return reason(KEYS[rule])
}
