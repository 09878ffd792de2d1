import { encodeAnswer } from '../oauth/fragment.js'
import type { ResponseParameters, ResponseMode } from './response-mode.js'

/** In the query, appended to the callback's own (RFC 6749 §4.1.2). Never for tokens: logs record queries. */
export const query: ResponseMode = {
  name: 'query',
  deliver: (callback, answer) => ({ location: withQuery(callback, answer) })
}

/** Appends a response to the query of an address, which otherwise stays unchanged. */
export function withQuery (address: string, answer: ResponseParameters): string {
  return `${address}${separator(address)}${encodeAnswer(answer)}`
}

function separator (callback: string): string {
  if (!callback.includes('?')) return '?'
  return /[?&]$/.test(callback) ? '' : '&'
}
