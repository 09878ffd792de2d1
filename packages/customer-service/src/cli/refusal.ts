/** A command that cannot be carried out: `message` says why, and what to do. */
export class Refusal extends Error {}
