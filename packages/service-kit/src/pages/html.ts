/** Escapes text for HTML, also for attributes in double quotes. */
export function escape (text: string): string {
  return text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)
}
