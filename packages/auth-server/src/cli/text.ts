import { UNSHOWABLE, whyNotText } from '../input/text.js'

/** Why a text is not a valid name of an app or a person, in a sentence; `null` if it is. */
export function whyNotName (what: string, name: string): string | null {
  return whyNotText(what, name, 100)
}

/** A text in quotes, with control characters escaped as in JSON. */
export function quote (text: string): string {
  return escapeUnshowable(JSON.stringify(text))
}

/** JSON with control characters escaped. */
export function escapeUnshowable (json: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replace(new RegExp(UNSHOWABLE, 'gu'), escape)
}
