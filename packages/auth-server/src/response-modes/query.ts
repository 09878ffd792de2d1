import { encodeAnswer } from '../oauth/fragment.js'
import type { Answer, ResponseMode } from './response-mode.js'

/** In the query, after that of the callback (RFC 6749 §4.1.2). Never for tokens: logs record queries. */
export const query: ResponseMode = {
  name: 'query',
  deliver: (callback, answer) => ({ location: withQuery(callback, answer) })
}

/** An address with a response in its query. The address stays byte for byte as it is. */
export function withQuery (address: string, answer: Answer): string {
  return `${address}${separator(address)}${encodeAnswer(answer)}`
}

function separator (callback: string): string {
  if (!callback.includes('?')) return '?'
  return /[?&]$/.test(callback) ? '' : '&'
}
