/** Key of a user name (RFC 8265 §3.3): compatibility forms, case and spaces around it make no other person. */
export function foldUsername (username: string): string {
  return username.normalize('NFKC').toLowerCase().trim()
}
