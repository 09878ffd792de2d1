/** What would move the cursor or turn the text around where it is shown: on a terminal, in a page. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Says why a text may not be the name of somebody or something, in a sentence; `null` if it may. */
export function whyNotName (what: string, name: string): string | null {
  if (!/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(name)) return `The ${what} is empty.`
  if ([...name].length > 100) return `The ${what} is longer than 100 characters.`
  if (UNSHOWABLE.test(name)) return `The ${what} holds a control character.`
  if (name.trim() !== name) return `The ${what} begins or ends with a blank.`
  return null
}

/** A text in quotes, as far as it can be shown; the rest is escaped as in JSON. */
export function quote (text: string): string {
  return escapeUnshowable(JSON.stringify(text))
}

/** JSON as far as it can be shown; the rest is escaped. */
export function escapeUnshowable (json: string): string {
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  return json.replace(new RegExp(UNSHOWABLE, 'gu'), escape)
}
