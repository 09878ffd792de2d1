/** A command that cannot be carried out: `message` gives each reason on a line. */
export class Refusal extends Error {}

/** @throws Refusal with every reason that is not undefined */
export function refuseFor (...reasons: Array<string | undefined>): void {
  const real = reasons.filter(reason => reason !== undefined)
  if (real.length > 0) throw new Refusal(real.join('\n'))
}
