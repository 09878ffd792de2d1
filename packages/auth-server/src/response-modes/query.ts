import { encodeAnswer } from '../oauth/fragment.js'
import type { ResponseMode } from './response-mode.js'

/** In the query, after that of the callback (RFC 6749 §4.1.2). Never for tokens: logs record queries. */
export const query: ResponseMode = {
  name: 'query',
  deliver: (callback, answer) => ({ location: `${callback}${separator(callback)}${encodeAnswer(answer)}` })
}

function separator (callback: string): string {
  if (!callback.includes('?')) return '?'
  return /[?&]$/.test(callback) ? '' : '&'
}
