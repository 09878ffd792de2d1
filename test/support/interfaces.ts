import type { Test } from 'tap'
import { addPerson, authorizationUrl, erika, Person } from './person.js'
import { startStack } from './stack.js'

export const SCOPE = 'customer:read customer:write customer:delete'
/** The resource of the customer service. */
export const QA = '/rest/qa/customer'

type Fields = Record<string, string | number>

export const locationOf = ({ headers }: Response) => headers.get('location') ?? ''

/** What a location carries in its fragment. */
export const answerOf = (location: string) => Object.fromEntries(new URLSearchParams(new URL(location).hash.slice(1)))

/** Both services, really started, the customer service below a path, and what calls their interfaces as a client does. */
export async function startInterfaces (t: Test) {
  const stack = await startStack(t, ['auth-server'])
  const root = `${stack.address('customer-service')}/shop`
  await stack.start('customer-service', { SERVICE_ROOT: root })
  await addPerson(stack, erika)
  let id = 0

  const urlOf = (changes: Record<string, string>) => authorizationUrl(stack, { scope: SCOPE, state: 's', ...changes })
  /** Asks for authorization in a browser of its own. */
  const authorize = async (changes: Record<string, string> = {}) => await new Person(stack).request(urlOf(changes))
  /** Asks, signs in and allows. Gives what arrives at the callback. */
  const allow = async (changes: Record<string, string> = {}) => await new Person(stack).allow(urlOf(changes), erika)
  const token = answerOf(await allow()).access_token!

  async function call (method: string, path: string, form?: Fields, more: Record<string, string> = {}) {
    const entries = Object.entries(form ?? {}).map(([name, value]) => [name, String(value)])
    const body = form === undefined ? null : new URLSearchParams(entries).toString()
    const type: Record<string, string> = form === undefined ? {} : { 'content-type': 'application/x-www-form-urlencoded' }
    const response = await fetch(root + path, { method, headers: { authorization: `Bearer ${token}`, ...type, ...more }, body })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** Registers a customer with a new number, and with these fields. */
  async function add (changes: Fields = {}) {
    id++
    const name = `Name ${id}`
    const customer = { customerid: id, customername: name, customerage: 33, customeraddress: 'colombo', ...changes }
    return { id, name, ...await call('POST', QA, customer) }
  }

  async function addressOf (id: number) {
    const { text } = await call('GET', `${QA}/${id}`, undefined, { accept: 'application/json' })
    // as: the record of a customer.
    return (JSON.parse(text) as { customeraddress: string }).customeraddress
  }

  return { stack, root, token, authorize, allow, call, add, addressOf, lastId: () => id }
}
