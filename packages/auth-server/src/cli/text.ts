import { UNSHOWABLE } from '../input/text.js'

/** A text in quotes, with control characters escaped as in JSON. */
export function quote (text: string): string {
  return escapeUnshowable(JSON.stringify(text))
}

/** JSON with control characters escaped. */
export function escapeUnshowable (json: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replace(new RegExp(UNSHOWABLE, 'gu'), escape)
}
