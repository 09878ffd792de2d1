import { Type, type Static } from '@sinclair/typebox'
import { apply, findWithoutSecret, planApply } from '../../admin/apply.js'
import { ClientEntry } from '../../admin/client-entry.js'
import { RoleEntry, wantedOf, type ClientsFile, type Wanted } from '../../admin/clients-file.js'
import { findFileFaults, sentenceOf } from '../../admin/file-faults.js'
import type { Plan } from '../../admin/plan.js'
import { Refusal } from '../../admin/refusal.js'
import { MAX_ROLES } from '../../admin/roles.js'
import type { Config } from '../../config.js'
import type { Stores } from '../../stores/stores.js'
import { endpoint, strict, type Endpoint } from './endpoint.js'

/** Bounds of a file over HTTP. */
const [MAX_BYTES, MAX_CLIENTS] = [4 * 1_024 * 1_024, 2_000]

const Role = Type.Object(RoleEntry.properties, { ...strict, title: 'RoleEntry' })
const File = Type.Object({
  clients: Type.Array(Type.Object(ClientEntry.properties, { ...strict, title: 'ClientEntry' }), {
    maxItems: MAX_CLIENTS, description: 'The clients to register.'
  }),
  roles: Type.Optional(Type.Array(Role, { maxItems: MAX_ROLES, description: 'The roles. If omitted, roles are not changed.' }))
}, { ...strict, title: 'ClientsFile' })

const Names = (description: string) => Type.Array(Type.String(), { description })
const Surplus = { removed: Names('Not in the file; removed.'), kept: Names('Not in the file; kept.') }
const Changes = Type.Object({
  clients: Type.Object({
    added: Names('Identifiers of new clients and of adopted self-registered clients.'),
    changed: Type.Array(Type.Object({
      clientId: Type.String(),
      fields: Type.Record(Type.String(), Type.Object({ from: Type.Unknown(), to: Type.Unknown() }), { description: 'The changed fields.' })
    })),
    unchanged: Names('Identifiers of clients that already match the file.'),
    ...Surplus
  }),
  roles: Type.Object({
    added: Type.Array(Role), changed: Type.Array(Type.Object({ ...RoleEntry.properties, from: Type.String() })), ...Surplus
  }),
  withoutSecret: Names('Identifiers of clients in the file that authenticate with a secret but have none yet.')
}, { title: 'ClientsFilePlan' })

const query = Type.Object({
  prune: Type.Optional(Type.Boolean({ description: 'Whether to remove the clients and roles that are not in the file. Default: false.' }))
}, strict)

/** `/clients-file`. */
export const clientsFile: readonly Endpoint[] = [
  endpoint('planClientsFile', 'POST /clients-file/plan', {
    says: 'Preview the changes of a clients file',
    right: 'read',
    query,
    body: File,
    bodyLimit: MAX_BYTES,
    answer: Changes,
    hasEtag: true
  }, async (stores, { query: { prune = false }, body, config, by }) => {
    const wanted = await readFile(body, config)
    return await withSecrets(stores, wanted, await planApply(stores, wanted, { prune }, by))
  }),

  endpoint('applyClientsFile', 'PUT /clients-file', {
    says: 'Sync the registered clients and roles with a clients file, in one transaction',
    right: 'manage',
    isSensitive: true,
    isConditional: true,
    query,
    body: File,
    bodyLimit: MAX_BYTES,
    answer: Changes
  }, async (stores, { query: { prune = false }, body, check, config, by }) => {
    const wanted = await readFile(body, config)
    return await withSecrets(stores, wanted, await apply(stores, wanted, { prune, check }, by))
  })
]

/** @throws Refusal with every error of the file */
async function readFile (body: Static<typeof File>, { callbackSchemes }: Config): Promise<Wanted> {
  const faults = (await findFileFaults(body, callbackSchemes))
    .map(fault => ({ field: fault.path.join('.'), sentence: sentenceOf(fault, body) }))
  if (faults.length > 0) throw new Refusal('invalid', faults)
  // as: the schema has checked it.
  return wantedOf(body as unknown as ClientsFile)
}

async function withSecrets (stores: Stores, wanted: Wanted, plan: Plan) {
  return { ...plan, withoutSecret: await findWithoutSecret(stores, wanted) }
}
