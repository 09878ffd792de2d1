import { withFragment } from '../oauth/fragment.js'
import type { ResponseMode } from './response-mode.js'

/** In the fragment, which browsers do not send to servers (RFC 6749 §4.2.2). */
export const fragment: ResponseMode = {
  name: 'fragment',
  deliver: (callback, answer) => ({ location: withFragment(callback, answer) })
}
