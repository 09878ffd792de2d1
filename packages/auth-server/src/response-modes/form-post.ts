import type { ResponseMode } from './response-mode.js'

/** In a form that the browser posts to the callback (OAuth 2.0 Form Post Response Mode): in no URL, and no history. */
export const formPost: ResponseMode = {
  name: 'form_post',
  deliver: (callback, answer) => ({
    action: callback,
    fields: Object.entries(answer).flatMap(([name, value]) => value === undefined ? [] : [[name, String(value)] as const])
  })
}
