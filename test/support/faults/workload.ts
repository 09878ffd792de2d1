import { setTimeout } from 'node:timers/promises'
import type { Answer } from '../person.js'
import type { Ledger } from '../replicas/ledger.js'
import { Load } from '../replicas/load.js'
import type { Stack } from '../stack.js'
import { lostFrom, SERVICES, type Databases } from './installation.js'

/** Something that happens to a database or a service, and that ends. */
export interface Fault {
  name: string
  /** How long it lasts, in milliseconds. */
  lasts: number
  begin: () => unknown
  end: () => unknown
  /** What each service may answer besides what is right: 503, and 0 for no answer where a process is killed. */
  allowed: Record<typeof SERVICES[number], readonly number[]>
  /** Whether it is to last until both services have refused something. */
  untilFelt: boolean
  /** How many use the services meanwhile. */
  clients?: { people: number, writers: number }
}

/** The database of both services does not answer, and they report it. */
export const AWAY: Fault['allowed'] = { 'auth-server': [503], 'customer-service': [503] }

/** How it went. */
export interface Outcome {
  name: string
  sent: number
  acknowledged: number
  lost: string[]
  /** How many requests were refused, by status. */
  refused: Record<number, number>
  /** The services that refused any. */
  refusers: string[]
  /** Answers that should not have been: of another status than allowed, or a 503 too late or without `Retry-After`. */
  wrong: string[]
  /** How long after the fault's end the last request was refused, in milliseconds. */
  recovery: number
  /** The longest time until a refusal, in milliseconds. */
  slowest: number
}

/** Within which a refusal must come, and within which all must be well after a fault, in milliseconds. */
export const REFUSAL = 3_000
export const RECOVERY = 5_000

/** How much longer a fault may last until it is felt, in milliseconds. */
const MORE = 20_000

/** Who uses the services unless a fault says otherwise. */
const USUAL = { people: 2, writers: 4 }

/** How long nothing is refused until all counts as well, in milliseconds. */
const CALM = 1_000

/**
 * Lets a fault happen to services under load. Where it is the load itself, it ends with that, and the usual one follows.
 * @param pause see {@link Load.pause}
 */
export async function runWorkload (stack: Stack, databases: Databases, ledger: Ledger, fault: Fault, pause?: number): Promise<Outcome> {
  const loads: Load[] = []
  const begin = async (clients: NonNullable<Fault['clients']>) => {
    const load = new Load(stack, ledger, pause)
    loads.push(load)
    await load.start(clients)
  }
  const complaints = () => loads.flatMap(load => load.complaints)
  const before = ledger.acknowledged
  await begin(fault.clients ?? USUAL)
  await setTimeout(300)
  await fault.begin()
  await setTimeout(fault.lasts)
  for (let more = 0; fault.untilFelt && refusersOf(complaints()).length < SERVICES.length && more < MORE; more += 100) await setTimeout(100)
  await fault.end()
  if (fault.clients !== undefined) {
    await loads[0]!.stop()
    await begin(USUAL)
  }
  const ended = Date.now()
  const lastRefusal = () => complaints().reduce((latest, { at }) => Math.max(latest, at), ended)
  while (Date.now() - lastRefusal() < CALM && Date.now() - ended < RECOVERY + CALM) await setTimeout(50)
  await Promise.all(loads.map(load => load.stop()))
  const tokens = loads.flatMap(load => load.tokens)
  return {
    name: fault.name,
    sent: loads.flatMap(load => load.answers).length,
    acknowledged: ledger.acknowledged - before + tokens.length,
    lost: await lostFrom(databases, ledger, tokens),
    refused: count(complaints().map(({ status }) => status)),
    refusers: refusersOf(complaints()),
    wrong: complaints().filter(complaint => !isAllowed(complaint, fault))
      .map(({ what, status, ms }) => `${status} after ${ms} ms: ${what}`),
    recovery: lastRefusal() - ended,
    slowest: Math.max(0, ...complaints().map(({ ms }) => ms))
  }
}

function refusersOf (complaints: readonly Answer[]): string[] {
  return SERVICES.filter(service => complaints.some(complaint => serviceOf(complaint) === service))
}

/** Whose answer it is: {@link Load} gets tokens from the one, and asks the other for all else. */
function serviceOf ({ what }: Answer): typeof SERVICES[number] {
  return what.startsWith('token') ? 'auth-server' : 'customer-service'
}

function isAllowed (answer: Answer, { allowed }: Fault): boolean {
  return allowed[serviceOf(answer)].includes(answer.status) && (answer.status === 0 || isRefusal(answer))
}

/** Whether a service refuses as it should while its database is away: with 503, in time, and with `Retry-After`. */
export function isRefusal ({ status, ms, retryAfter }: Pick<Answer, 'status' | 'ms' | 'retryAfter'>): boolean {
  return status === 503 && ms < REFUSAL && retryAfter !== null
}

/** How many there are of each status. */
export function count (statuses: readonly number[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const status of statuses) counts[status] = (counts[status] ?? 0) + 1
  return counts
}
