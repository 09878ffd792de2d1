/** What was asked for cannot be done: `message` holds a sentence a line, each of which says why. */
export class Refusal extends Error {}

/** @throws Refusal with every reason that is one */
export function refuseFor (...reasons: Array<string | undefined>): void {
  const real = reasons.filter(reason => reason !== undefined)
  if (real.length > 0) throw new Refusal(real.join('\n'))
}
