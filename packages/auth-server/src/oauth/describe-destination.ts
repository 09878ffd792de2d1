/** Where an address leads, in words: its host. What follows a private-use scheme may look like a host, and is none. */
export function describeDestination (address: string): string {
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host : `an app on this device (${protocol}…)`
}
