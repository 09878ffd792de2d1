/** A part of an OpenAPI document (https://spec.openapis.org/oas/v3.1.0). */
type Part = Record<string, unknown>

/** Which way a value goes: what is asked may become wider, what is answered may become narrower. */
type Way = 'request' | 'response'

/** Says, a sentence each, what of an API no longer holds for a client that was written for it as it was. */
export function breakingChanges (before: object, now: object): string[] {
  return [...compareEach(members(before).paths, members(now).paths, '', function * (path, old, fresh) {
    yield * compareEach(
      old,
      fresh,
      `${path}: `,
      (method, operation, other) => compareOperation(`${method.toUpperCase()} ${path}`, members(operation), members(other))
    )
  })]
}

function * compareOperation (where: string, before: Part, now: Part): Generator<string> {
  yield * compareParameters(where, parametersOf(before), parametersOf(now))
  const [asked, taken] = [members(before.requestBody), members(now.requestBody)]
  if (taken.required === true && asked.required !== true) yield `${where}: the body is required now.`
  yield * compareContent(`${where}, request`, asked.content, taken.content, 'request')
  yield * compareEach(before.responses, now.responses, `${where}: answer `, function * (status, old, fresh) {
    yield * compareEach(members(old).headers, members(fresh).headers, `${where}, answer ${status}: header `, function * () {})
    yield * compareContent(`${where}, answer ${status}`, members(old).content, members(fresh).content, 'response')
  })
}

function * compareParameters (where: string, before: Map<string, Part>, now: Map<string, Part>): Generator<string> {
  for (const [name, old] of before) {
    const fresh = now.get(name)
    if (fresh === undefined) yield `${where}: the parameter ${name} is gone.`
    else yield * compareSchema(`${where}, parameter ${name}`, old.schema, fresh.schema, 'request')
  }
  for (const [name, fresh] of now) {
    if (fresh.required === true && before.get(name)?.required !== true) yield `${where}: the parameter ${name} is required now.`
  }
}

function compareContent (where: string, before: unknown, now: unknown, way: Way) {
  return compareEach(
    before,
    now,
    `${where}: `,
    (type, old, fresh) => compareSchema(`${where} ${type}`, members(old).schema, members(fresh).schema, way)
  )
}

function * compareSchema (where: string, before: unknown, now: unknown, way: Way): Generator<string> {
  const [old, fresh] = [merged(before), merged(now)]
  if (old.type !== fresh.type) yield `${where}: the type was ${text(old.type)} and is ${text(fresh.type)}.`
  yield * compareEach(
    old.properties,
    fresh.properties,
    `${where}: the member `,
    (name, one, other) => compareSchema(`${where}, member ${name}`, one, other, way)
  )
  const [wasRequired, isRequired] = [list(old.required), list(fresh.required)]
  if (way === 'request') {
    for (const name of isRequired.filter(it => !wasRequired.includes(it))) yield `${where}: the member ${text(name)} is required now.`
  } else {
    for (const name of wasRequired.filter(it => !isRequired.includes(it))) yield `${where}: the member ${text(name)} may be missing now.`
  }
  if (old.items !== undefined || fresh.items !== undefined) yield * compareSchema(`${where}, each`, old.items, fresh.items, way)
  for (const rule of [
    'enum', 'const', 'anyOf', 'oneOf', 'pattern', 'format', 'minLength', 'maxLength', 'minimum', 'maximum', '$ref'
  ]) {
    // Whether it is wider or narrower is for a person to decide.
    if (text(old[rule]) !== text(fresh[rule])) yield `${where}: ${rule} was ${text(old[rule])} and is ${text(fresh[rule])}.`
  }
}

/** A schema with the members of the schemas in its `allOf`. */
function merged (schema: unknown): Part {
  const { allOf, ...own } = members(schema)
  return [...list(allOf).map(merged), own].reduce((one, other) => ({
    ...one,
    ...other,
    properties: { ...members(one.properties), ...members(other.properties) },
    required: [...list(one.required), ...list(other.required)]
  }), {})
}

function * compareEach (
  before: unknown,
  now: unknown,
  where: string,
  compare: (name: string, before: unknown, now: unknown) => Iterable<string>
): Generator<string> {
  const fresh = members(now)
  for (const [name, old] of Object.entries(members(before))) {
    if (Object.hasOwn(fresh, name)) yield * compare(name, old, fresh[name])
    else yield `${where}${name} is gone.`
  }
}

function parametersOf (operation: Part): Map<string, Part> {
  return new Map(list(operation.parameters).map(members).map(it => [`${text(it.name)} in ${text(it.in)}`, it]))
}

function members (value: unknown): Part {
  // as: every object has members.
  return value instanceof Object && !Array.isArray(value) ? value as Part : {}
}

function list (value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

function text (value: unknown): string {
  return typeof value === 'string'
    ? value
    : JSON.stringify(value, (key, it: unknown) => key === 'description' ? undefined : it) ?? 'nothing'
}
