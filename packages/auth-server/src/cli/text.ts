/** Characters that move the cursor or change the direction of text on a terminal or page. */
const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Why a text is not a valid name, in a sentence; `null` if it is. */
export function whyNotName (what: string, name: string): string | null {
  if (!/[^\p{White_Space}\p{Default_Ignorable_Code_Point}]/u.test(name)) return `The ${what} is empty.`
  if ([...name].length > 100) return `The ${what} is longer than 100 characters.`
  if (UNSHOWABLE.test(name)) return `The ${what} contains a control character.`
  if (name.trim() !== name) return `The ${what} begins or ends with a space.`
  return null
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
