import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { freePort, startStack, type Name, type Stack } from '../stack.js'
import { dereferenced } from './dereferenced.js'
import type { Api } from './document.js'
import { startCheckingProxy, type CheckingProxy } from './proxy.js'

/** What the services also serve: what pages load, and the API reference itself. */
const OUTSIDE = /^\/(assets|docs|favicon\.ico|openapi\.json)(\/|$)/

/** A stack whose services are reached through proxies only, which compare every exchange with the OpenAPI documents. */
export async function startCheckedStack (
  t: Test, names?: readonly Name[], env: Record<string, string> = {}
): Promise<{ stack: Stack, assertDocumented: (t: Test) => void }> {
  const proxies = new Map<Name, CheckingProxy>()
  const stack = await startStack(t, names, env, async ({ name, address }) => {
    if ((name !== 'auth-server' && name !== 'customer-service') || names?.includes(name) === false) return undefined
    const port = await freePort()
    const target = `http://localhost:${port}`
    // A busy service may answer 503, also while it starts. as: both services serve their own.
    const read = async (): Promise<Api> => {
      const response = await fetch(`${target}/openapi.json`, { headers: { accept: 'application/json' } })
      return response.ok ? await dereferenced(await response.json() as Api) : await setTimeout(250).then(read)
    }
    proxies.set(name, await startCheckingProxy(t, Number(new URL(address).port), target, read, path => OUTSIDE.test(path)))
    return port
  })
  return {
    stack,
    assertDocumented (t) {
      for (const [name, { compared, findings }] of proxies) {
        t.ok(compared() > 0, `${name} was asked`)
        t.same(findings(), [], `what passed is what the OpenAPI document of ${name} says`)
      }
    }
  }
}
