import type { Answer } from '../written.js'

/** A request, how the JAX-RS sample answered it, and how customer-service does. */
export interface Case {
  /** What is asked for. */
  what: string
  /** Names of the customers that are registered before, by identifier. */
  given?: Record<number, string>
  /** As documentation writes it; a body without a type is a form. */
  request: string
  /** What JAX-RS did; `=` the same, `≠` something else, `+` it had no such thing. */
  did: ['=' | '≠' | '+', string]
  why: string
  /** The answer: a body, or a problem by its name, with its own members. */
  answer: Omit<Answer, 'body'> & ({ body: string } | { problem: string, members: object })
  /** What is other afterwards: a customer's name and address, `null` for one that is gone. */
  changes?: Record<number, string | null>
  /** Settings of the service; without them it needs no token, as the sample. */
  env?: Record<string, string>
}

/** A problem. */
export const refused = (status: number, problem: string, headers: Record<string, string> = {}, members = {}): Case['answer'] =>
  ({ status, headers: { ...headers, 'content-type': 'application/problem+json; charset=utf-8' }, problem, members })

/** An answer with nothing in it. */
export const done: Case['answer'] = { status: 204, headers: {}, body: '' }

/** The name of a customer. */
export const named = (name: string): Case['answer'] => ({
  status: 200,
  headers: { etag: '"554839195-text"', 'content-type': 'text/plain; charset=utf-8' },
  body: name
})
