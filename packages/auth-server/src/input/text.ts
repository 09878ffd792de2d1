import { UNSHOWABLE } from '@frontdesk/service-kit/showable'

/** Why a text is not a valid name of a client or a user, in a sentence; `null` if it is. */
export function whyNotName (what: string, name: string): string | null {
  return whyNotText(what, name, 100)
}

/**
 * Why a text is not a valid one-line text, in a sentence; `null` if it is.
 * @param what its name in the sentence
 * @param longest maximum length, in characters
 */
export function whyNotText (what: string, text: string, longest: number): string | null {
  if (!/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text)) return `The ${what} is empty.`
  if ([...text].length > longest) return `The ${what} is longer than ${longest} characters.`
  if (UNSHOWABLE.test(text)) return `The ${what} contains a control character.`
  if (text.trim() !== text) return `The ${what} begins or ends with a space.`
  return null
}
