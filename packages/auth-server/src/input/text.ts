import { UNSHOWABLE } from '@frontdesk/service-kit/showable'
import { reason, type Reason } from '../languages/reason.js'

/** The name of a text in a sentence. */
export type Noun = 'name' | 'given_name' | 'family_name' | 'user_name' | 'label'

/** Why a text is not a valid name of a client or a user; `null` if it is. */
export function whyNotName (noun: Noun, name: string): Reason | null {
  return whyNotText(noun, name, 100)
}

/** Why a text is not a valid one-line text; `null` if it is. @param longest maximum length, in characters */
export function whyNotText (noun: Noun, text: string, longest: number): Reason | null {
  const what = reason(`reason.noun.${noun}`)
  if (!/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(text)) return reason('reason.text-empty', { what })
  if ([...text].length > longest) return reason('reason.text-long', { what, longest })
  if (UNSHOWABLE.test(text)) return reason('reason.text-control', { what })
  if (text.trim() !== text) return reason('reason.text-space', { what })
  return null
}
