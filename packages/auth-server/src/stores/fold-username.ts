/** Key of a user name (RFC 8265 §3.3): compatibility forms and case make no other person. */
export function foldUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase()
}
