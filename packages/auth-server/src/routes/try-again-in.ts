/** "Try again in 15 minutes." @param seconds until another attempt counts, rounded up to minutes */
export function tryAgainIn (seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60))
  return `Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}
