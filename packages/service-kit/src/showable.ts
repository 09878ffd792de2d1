/** Characters that move the cursor or change the direction of text on a terminal or page. */
export const UNSHOWABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u

/** Escapes characters that could change the surrounding text on a terminal, as JSON does. */
export function showable (text: string): string {
  return text.replace(new RegExp(UNSHOWABLE, 'gu'), character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Quotes a text as JSON does, and escapes it like {@link showable}. */
export function quote (text: string): string {
  return showable(JSON.stringify(text))
}
