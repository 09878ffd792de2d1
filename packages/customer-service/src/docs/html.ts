/** Escapes a text for HTML: between tags, and in attributes with double quotes. */
export function escape (text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
