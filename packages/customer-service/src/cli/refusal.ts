/** What was asked for cannot be done: `message` says why, and what to do. */
export class Refusal extends Error {}
