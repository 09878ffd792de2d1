import fc from 'fast-check'
import t, { type Test } from 'tap'
import { readForm, readJson } from '../../src/customer/body.js'
import { parsePatch, parseReplacement } from '../../src/customer/changes.js'
import { parseAddressChange, parseRegistration } from '../../src/customer/forms.js'
import { parseId } from '../../src/customer/id.js'
import { isNetwork, parseHttpUrl } from '@frontdesk/service-kit/address'
import { matchesAny } from '@frontdesk/service-kit/etags'
import { makeEtag, parseIfMatch } from '../../src/input/etag.js'
import { parseForm } from '../../src/input/form.js'
import { parseObject } from '../../src/input/json.js'
import { headerValues } from '@frontdesk/service-kit/header'
import { parseIdempotencyKey } from '@frontdesk/service-kit/idempotency-key'
import { hasType } from '../../src/input/media-type.js'
import { ProblemError } from '../../src/problems/define.js'
import { hasDuplicates } from '../../src/tokens/verify.js'
import { parseAuthorization } from '../../src/tokens/authorization.js'
import { encode } from '../support/helper.js'

/** What a parser gives, or `undefined` if it refuses; any error but its own is a failure. */
function tryTo<T> (parse: () => T): T | undefined {
  try {
    return parse()
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

const text = fc.string({ unit: 'binary', maxLength: 40 })
const anything = fc.oneof(text, fc.string(), fc.string({ unit: fc.constantFrom('%', '&', '=', '+', '"', ',', ';', '/', ' ', 'a', '0', 'W', '-', '\u0000', 'é') }))
const visible = (max: number) => fc.string({ unit: 'binary', minLength: 1, maxLength: max }).filter(value => /[^\p{White_Space}\p{DI}]/u.test(value) && !/\p{Cc}/u.test(value) && [...value].length <= max)
const check = <T>(t: Test, arbitrary: fc.Arbitrary<T>, holds: (value: T) => boolean) =>
  t.doesNotThrow(() => fc.assert(fc.property(arbitrary, holds), { numRuns: 500 }))

t.test('ids: what is accepted it prints back', async t => {
  check(t, fc.oneof(anything, fc.nat().map(String), fc.bigInt().map(String)), value => {
    const id = tryTo(() => parseId(value))
    return id === undefined || (String(id) === value && id >= -2147483648 && id <= 2147483647)
  })
  check(t, fc.integer(), id => parseId(String(id)) === id)
})

t.test('forms: any bytes are read or refused; what a browser writes is read as it was', async t => {
  check(t, fc.oneof(fc.uint8Array({ maxLength: 60 }), anything.map(value => Buffer.from(value))), bytes => {
    const form = tryTo(() => parseForm(bytes))
    return form === undefined || (Object.getPrototypeOf(form) === null && Object.values(form).flat().every(value => typeof value === 'string' && Buffer.from(value).toString() === value))
  })
  check(t, fc.array(fc.tuple(text, text), { maxLength: 30 }), pairs => {
    const form = parseForm(Buffer.from(new URLSearchParams(pairs).toString()))
    return pairs.every(([name, value]) => [form[name] ?? ''].flat().includes(value) || (name === '' && value === ''))
  })
})

t.test('customers: what the rules allow is read as written, and anything else is refused', async t => {
  const customer = fc.record({
    customerid: fc.integer(),
    customername: visible(100),
    customerage: fc.integer(),
    customeraddress: visible(200)
  })
  check(t, customer, it => {
    const read = parseRegistration(readForm(Buffer.from(encode(it))))
    return read.id === it.customerid && read.name === it.customername && read.age === it.customerage && read.address === it.customeraddress
  })
  const field = fc.constantFrom('customerid', 'customername', 'customerage', 'customeraddress', 'CustomerName', '__proto__', 'constructor', '')
  check(t, fc.array(fc.tuple(field, fc.oneof(anything, fc.integer().map(String))), { maxLength: 8 }), pairs => {
    const form = Buffer.from(new URLSearchParams(pairs).toString())
    const added = tryTo(() => parseRegistration(readForm(form)))
    const moved = tryTo(() => parseAddressChange(parseForm(form)))
    return [added, moved].every(it => it === undefined || [...it.name].length <= 100) &&
      (added === undefined || [added.id, added.age].every(Number.isInteger))
  })
})

t.test('JSON bodies: any bytes are read or refused; a name is repeated if it stands in the text twice', async t => {
  check(
    t,
    fc.oneof(
      fc.uint8Array({ maxLength: 60 }),
      anything.map(value => Buffer.from(value)),
      fc.json().map(value => Buffer.from(value))
    ),
    bytes => {
      const read = tryTo(() => parseObject(bytes))
      return read === undefined || (Object.getPrototypeOf(read.values) === null && read.repeated.size === 0)
    }
  )
  check(t, fc.array(fc.tuple(text, fc.json({ maxDepth: 2 }), fc.constantFrom('', ' ', '\n')), { maxLength: 20 }), members => {
    const { values, repeated } = parseObject(Buffer.from(`{${members.map(([name, value, blank]) => `${JSON.stringify(name)}${blank}:${value}`).join(',')}}`))
    const times = (name: string) => members.filter(([other]) => other === name).length
    return Object.keys(values).every(name => (repeated.get(name) ?? 1) === times(name)) && members.every(([name]) => name in values)
  })
})

t.test('changes: JSON and forms say the same; what is read is what was written, and anything else is refused', async t => {
  const change = fc.record({ customername: visible(100), customerage: fc.integer(), customeraddress: visible(200) })
  check(t, change, it => {
    const wanted = { name: it.customername, age: it.customerage, address: it.customeraddress }
    const bodies = [readJson(Buffer.from(JSON.stringify(it))), readForm(Buffer.from(encode(it)))]
    return bodies
      .flatMap(body => [parseReplacement(body, 1), parsePatch(body, 1)])
      .every(read => JSON.stringify(read) === JSON.stringify(wanted))
  })
  const field = fc.constantFrom('customerid', 'customername', 'customerage', 'customeraddress', 'CustomerAge', '__proto__', 'constructor')
  const value = fc.oneof(anything, fc.jsonValue({ maxDepth: 1 }), fc.integer({ min: -2147483650, max: 2147483649 }))
  check(t, fc.dictionary(field, value), object => {
    const body = tryTo(() => readJson(Buffer.from(JSON.stringify(object))))
    if (body === undefined) return false
    const patch = tryTo(() => parsePatch(body, 1))
    const replacement = tryTo(() => parseReplacement(body, 1))
    const isSound = (it: { name?: string, age?: number, address?: string }) =>
      (it.name === undefined || it.name === object.customername) &&
      (it.age === undefined || it.age === Number(object.customerage) + 0) &&
      (it.address === undefined || it.address === object.customeraddress)
    return (
      (patch === undefined || (isSound(patch) && Object.keys(patch).length > 0)) &&
      // A replacement ignores a null identifier, a patch refuses it: there null means removal (RFC 7396).
      (replacement === undefined || (isSound(replacement) && (patch !== undefined || object.customerid === null)))
    )
  })
})

t.test('idempotency keys: a key or none or a refusal; quotes make no difference', async t => {
  check(t, fc.array(fc.oneof(anything, fc.string().map(value => JSON.stringify(value))), { maxLength: 2 }), values => {
    const key = parseIdempotencyKey(values)
    return key === undefined || (key === null ? values.length === 0 : values.length === 1 && /^[!-~]{1,255}$/.test(key))
  })
  check(t, fc.stringMatching(/^[!-~]{1,255}$/), key => {
    const isBare = !/[",\\]/.test(key)
    return parseIdempotencyKey([JSON.stringify(key)]) === key && (!isBare || parseIdempotencyKey([key]) === key)
  })
})

t.test('bearer headers: a token or none or a refusal, and the token is what was sent', async t => {
  check(t, fc.array(fc.oneof(anything, anything.map(value => `Bearer ${value}`)), { maxLength: 3 }), values => {
    const token = tryTo(() => parseAuthorization(values))
    return token === undefined || token === null || (values.length === 1 && values[0]?.slice(6).trim() === token)
  })
  check(t, fc.string({ unit: fc.constantFrom(...'azAZ09-._~+/'), minLength: 1 }), token => parseAuthorization([`Bearer ${token}`]) === token)
})

t.test('entity tags: made ones are found again, in any list; others match no version', async t => {
  const version = fc.integer({ min: 0, max: 2147483647 })
  const tag = fc.record({ version, kind: fc.constantFrom('text' as const, 'json' as const) })
  check(t, fc.array(tag, { minLength: 1 }), tags => {
    const header = tags.map(({ version, kind }) => makeEtag(version, kind)).join(', ')
    const versions = parseIfMatch(header)
    return Array.isArray(versions) && tags.every(({ version, kind }) => versions.includes(version) && matchesAny(header, makeEtag(version, kind)) && matchesAny(`W/${makeEtag(version, kind)}`, makeEtag(version, kind)))
  })
  check(t, anything, value => {
    const versions = parseIfMatch(value)
    return versions === 'any' ? value.trim() === '*' : versions === undefined || versions.every(version => value.includes(`"${version}-`))
  })
})

t.test('media types, header lists and addresses: any text is answered', async t => {
  check(t, anything, value => typeof hasType(value, 'application/json') === 'boolean' && typeof hasType(`application/json${value}`, 'application/json') === 'boolean')
  check(t, fc.array(fc.tuple(fc.constantFrom('Host', 'host', 'HOST', 'Other'), text)), pairs =>
    headerValues(pairs.flat(), 'host').length === pairs.filter(([name]) => name !== 'Other').length)
  check(t, anything, value => typeof isNetwork(value) === 'boolean' && (parseHttpUrl(value) === undefined || URL.canParse(value)))
  check(t, fc.oneof(fc.ipV4(), fc.ipV6(), fc.ipV4().map(ip => `${ip}/8`)), value => isNetwork(value))
})

t.test('duplicate members: found in any JSON, and never where there are none', async t => {
  check(t, fc.json({ maxDepth: 4 }), json => !hasDuplicates(json) && !hasDuplicates(JSON.stringify(JSON.parse(json), null, 2)))
  check(t, fc.tuple(fc.json(), fc.json(), text), ([one, other, name]) => {
    const member = JSON.stringify(name)
    return hasDuplicates(`{${member}:${one},"x${name.length}":[${other}],${member} :${other}}`)
  })
})
