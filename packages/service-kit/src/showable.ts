/** Characters that move the cursor or change the direction of text on a terminal or page. */
export const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** A text that a terminal shows as it is: characters that would change what is around it are escaped as in JSON. */
export function showable (text: string): string {
  return text.replace(new RegExp(UNSHOWABLE, 'gu'), character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** A text in quotes, escaped as in JSON, with characters that would change what is around it. */
export function quote (text: string): string {
  return showable(JSON.stringify(text))
}
