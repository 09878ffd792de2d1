/** Schemes that no operator can admit: browsers and systems handle them, or the callback is misspelled. */
export const RESERVED_SCHEMES: readonly string[] = [
  'about', 'android-app', 'blob', 'chrome', 'chrome-extension', 'data', 'edge', 'feed', 'file', 'filesystem', 'ftp', 'ftps', 'http',
  'https', 'intent', 'jar', 'javascript', 'localhost', 'mailto', 'moz-extension', 'resource', 'safari-extension', 'sftp', 'sms', 'ssh',
  'tel', 'urn', 'vbscript', 'view-source', 'ws', 'wss'
]

/** Whether an operator can admit a scheme for callbacks: a private-use one without a dot. Those with a dot need no permission. */
export function isAdmissibleScheme (scheme: string): boolean {
  return /^[a-z][a-z0-9+-]{1,49}$/.test(scheme) && !RESERVED_SCHEMES.includes(scheme)
}
