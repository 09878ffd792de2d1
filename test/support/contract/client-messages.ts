/** The part of a JSON schema that the API uses. */
interface Schema {
  type?: 'object' | 'array' | 'string' | 'integer' | 'boolean' | 'null'
  description?: string
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  allOf?: Schema[]
  anyOf?: Schema[]
}

interface Content { schema: Schema, examples?: Record<string, unknown> }

/** The part of an operation that the client has types of. */
interface Operation {
  operationId: string
  parameters?: Array<{ name: string, in: string, description?: string, schema: Schema }>
  requestBody?: { content: Record<string, Content> }
  responses: Record<string, { content?: Record<string, Content> }>
}

/** An OpenAPI document. */
export interface Api { paths: Record<string, Record<string, Operation>> }

const FORM = 'application/x-www-form-urlencoded'
const PROBLEM = 'application/problem+json'

const HEADER = '// Written by `npm run contracts` from test/contract/recorded/openapi/customer-service.json.\n'

/** Renders `src/messages.ts` of customer-client: the messages about one customer, from the OpenAPI document of customer-service. */
export function renderMessages (api: Api): string {
  const operations = operationsOf(api)
  const get = (id: string) => operations.find(({ operationId }) => operationId === id)!
  const answer = (id: string, status: number, type = 'application/json') => get(id).responses[status]!.content![type]!.schema
  const body = (id: string) => get(id).requestBody!.content[FORM]!.schema
  const one = answer('readCustomer', 200)
  const page = answer('listCustomers', 200)
  const listed = page.properties!.items!.items!
  const history = answer('listCustomerHistory', 200)
  const change = history.properties!.items!.items!
  const { customer, history: changes } = answer('exportCustomer', 200).properties!
  const exported = new Map([[customer!.anyOf![0]!, 'ListedCustomer'], [changes!.items!, 'CustomerChange']])
  const event = answer('listCustomerEvents', 200).properties!.events!.items!
  const named = new Map([[listed, 'ListedCustomer'], [change, 'CustomerChange']])
  return [
    HEADER,
    declare('Customer', 'A customer.', one),
    declareExtended('ListedCustomer', 'A customer in a list.', listed, 'Customer', one),
    declare('CustomerPage', 'One page of a list.', page, named),
    declare('ListQuery', 'Filters, order and page of a list.', queryOf(get('listCustomers'))),
    declareExtended('Registration', 'A customer to register.', body('registerCustomer'), 'Customer', one),
    declare('Replacement', 'The new values of a customer.', body('replaceCustomer')),
    declare('Changes', 'The fields to change, at least one.', body('patchCustomer')),
    declare('Move', 'A new address.', body('changeAddressByName')),
    declare('CustomerChange', 'A change in the history of a customer.', change),
    declare('HistoryPage', 'A page of a history, newest first.', history, named),
    declare('HistoryQuery', 'A page of a history.', queryOf(get('listCustomerHistory'))),
    declare('CustomerExport', 'All data about a customer.', answer('exportCustomer', 200), exported),
    declare('ErasureReceipt', 'A receipt for an erasure.', answer('eraseCustomer', 200)),
    declare('CustomerEvent', 'A change of a customer, as an event of CloudEvents 1.0.', event)
  ].join('')
}

/** Renders `src/import-messages.ts` of customer-client. */
export function renderImportMessages (api: Api): string {
  const answer = (id: string) => operationsOf(api).find(it => it.operationId === id)!.responses[200]!.content!['application/json']!.schema
  const report = answer('importCustomers')
  const difference = report.properties!.changes!.items!
  const fields = difference.properties!.fields!
  const lines = [report.properties!.errors!.items!, report.properties!.warnings!.items!]
  const errors = lines.map(({ properties }) => [properties!.errors!.items!, 'FieldError'] as const)
  return [
    HEADER,
    "\nimport type { FieldError } from './problem-messages.js'\n",
    declare('LineError', 'The errors of a record of a file.', lines[0]!, new Map(errors)),
    declare('DifferentFields', 'The fields that an update would change.', fields),
    declare('Difference', 'What an update would change.', difference, new Map([[fields, 'DifferentFields']])),
    declare('ImportReport', 'The outcome of an import.', report, new Map([...lines.map(line => [line, 'LineError'] as const), [difference, 'Difference']])),
    declare('ImportPreview', 'The beginning of a table, and how it would be imported.', answer('previewImport'))
  ].join('')
}

/** Renders `src/operation-messages.ts` of customer-client: the messages about many customers. */
export function renderOperationMessages (api: Api): string {
  const get = (id: string) => operationsOf(api).find(({ operationId }) => operationId === id)!
  const answer = (id: string) => get(id).responses[200]!.content!['application/json']!.schema
  const page = answer('listOperations')
  const operation = page.properties!.items!.items!
  const pairs = answer('listDuplicates')
  const listed = pairs.properties!.items!.items!.properties!.customers!.items!
  const removedPage = answer('listRemovedCustomers')
  const removed = removedPage.properties!.items!.items!
  return [
    HEADER,
    "\nimport type { Customer, ListedCustomer } from './messages.js'\n",
    declare('Operation', 'Changes of many customers by one request.', operation),
    declare('OperationsPage', 'A page of operations, newest first.', page, new Map([[operation, 'Operation']])),
    declare('OperationsQuery', 'A page of operations.', queryOf(get('listOperations'))),
    declare('UndoReport', 'The outcome of an undo.', answer('undoOperation')),
    declare('BulkReport', 'The outcome of a change of many customers.', answer('changeCustomers')),
    declareExtended('RemovedCustomer', 'A removed customer.', removed, 'Customer', answer('readCustomer')),
    declare('RemovedPage', 'A page of removed customers, newest first.', removedPage, new Map([[removed, 'RemovedCustomer']])),
    declare('RemovedQuery', 'A page of removed customers.', queryOf(get('listRemovedCustomers'))),
    declare('DuplicatesPage', 'A page of pairs of customers.', pairs, new Map([[listed, 'ListedCustomer']])),
    declare('DuplicatesQuery', 'A page of pairs.', queryOf(get('listDuplicates'))),
    declare('Merge', 'What to merge into a customer.', get('mergeCustomer').requestBody!.content['application/json']!.schema),
    declare('Merged', 'The customer that stays.', answer('mergeCustomer'))
  ].join('')
}

/** Renders `src/problem-messages.ts` of customer-client: the error answers. */
export function renderProblems (api: Api): string {
  const operations = operationsOf(api)
  const { responses } = operations.find(({ operationId }) => operationId === 'changeAddressByName')!
  // The one that has every member.
  const ambiguity = responses[409]!.content![PROBLEM]!.schema.allOf!
  const properties = Object.assign({}, ...ambiguity.map(({ properties }) => properties)) as Record<string, Schema>
  const problem = { properties, required: ambiguity[0]!.required! }
  const candidate = properties.candidates!.items!
  const fieldError = properties.errors!.items!
  const kinds = operations.flatMap(({ responses }) => Object.values(responses))
    .flatMap(({ content }) => Object.keys(content?.[PROBLEM]?.examples ?? {}))
  return [
    HEADER,
    declare('Candidate', 'One of several customers that share a name.', candidate),
    declare('FieldError', 'An invalid field.', fieldError),
    declare('Problem', 'An error response (RFC 9457).', problem, new Map([[candidate, 'Candidate'], [fieldError, 'FieldError']])),
    `\n/** The kinds of problems. */\nexport type ProblemKind =${inLines([...new Set(kinds)].sort().map(kind => ` | '${kind}'`))}\n`
  ].join('')
}

function operationsOf (api: Api): Operation[] {
  return Object.values(api.paths).flatMap(path => Object.values(path))
}

function queryOf ({ parameters = [] }: Operation): Schema {
  const entries = parameters.filter(parameter => parameter.in === 'query')
    .map(({ name, description, schema }) => [name, { ...schema, ...description === undefined ? {} : { description } }])
  return { type: 'object', properties: Object.fromEntries(entries) }
}

/** Declares an interface that has all members of another one, and perhaps more. */
function declareExtended (name: string, meaning: string, { properties = {}, required = [] }: Schema, base: string, of: Schema) {
  const own = Object.entries(properties).filter(([member]) => !(member in of.properties!))
  const schema = { properties: Object.fromEntries(own), required }
  return own.length === 0 ? `\n/** ${meaning} */\nexport type ${name} = ${base}\n` : declare(`${name} extends ${base}`, meaning, schema)
}

function declare (name: string, meaning: string, { properties = {}, required = [] }: Schema, named?: ReadonlyMap<Schema, string>) {
  const members = Object.entries(properties).map(([member, schema]) => {
    const comment = schema.description === undefined ? '' : `  /** ${schema.description} */\n`
    const type = render(schema, named)
    return `${comment}  ${member}${required.includes(member) ? `: ${type}` : `?: ${type} | undefined`}\n`
  })
  return `\n/** ${meaning} */\nexport interface ${name} {\n${members.join('')}}\n`
}

function render (schema: Schema, named?: ReadonlyMap<Schema, string>): string {
  const { type, properties = {}, required = [], items, anyOf } = schema
  const name = named?.get(schema)
  if (name !== undefined) return name
  if (schema.enum !== undefined) return schema.enum.map(value => `'${value}'`).join(' | ')
  if (anyOf !== undefined) return anyOf.map(one => render(one, named)).join(' | ')
  const members = () => Object.entries(properties).map(([member, of]) => `${member}${required.includes(member) ? '' : '?'}: ${render(of, named)}`)
  switch (type) {
    case 'object': return `{ ${members().join(', ')} }`
    case 'array': return `Array<${render(items!, named)}>`
    case 'integer': return 'number'
    case 'string':
    case 'null':
    case 'boolean': return type
    default: throw new Error(`no type: ${JSON.stringify(schema)}`)
  }
}

/** Five in a line. */
function inLines (items: string[]): string {
  return items.map((item, index) => index % 5 === 0 ? `\n ${item}` : item).join('')
}
