/** Describes where an address leads: its host or, for a private-use scheme, an app. What follows such a scheme can look like a host. */
export function describeDestination (address: string): string {
  const { host, protocol } = new URL(address)
  return /^https?:$/.test(protocol) ? host : `an app on this device (${protocol}…)`
}
