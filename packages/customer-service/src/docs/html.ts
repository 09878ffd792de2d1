/** A text as it stands in HTML, between tags and in an attribute with double quotes. */
export function escape (text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
