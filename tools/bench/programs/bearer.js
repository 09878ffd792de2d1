import { createPublicKey, hash, verify } from 'node:crypto'
import { inClone } from '../services/place.js'

/**
 * The bearer check of customer-service alone, in a process of its own: reads `{ issuer, audience, jwk, tokens }` from
 * standard input and writes the CPU time of a check, in microseconds: of tokens that it sees for the first time, of
 * those that it has seen, and what one signature check and one SHA-256 cost.
 */
const { createVerifier } = await import(inClone('packages/customer-service/dist/src/tokens/verify.js'))
const { issuer, audience, jwk, tokens } = JSON.parse(await text(process.stdin))
const key = createPublicKey({ key: jwk, format: 'jwk' })
const keys = { onChange () {}, find: async () => key }
const make = () => createVerifier({ issuer, audience, algorithms: ['ES256'] }, keys, null)

await firstSight()
const first = await firstSight()
const check = make()
await each(tokens, check)
await remembered(20)
const again = await remembered(100)
const signature = await cost(tokens, checkSignature)
const digest = await cost(tokens, token => hash('sha256', token, 'base64'))
process.stdout.write(JSON.stringify({ first, again, signature, digest }))

async function firstSight () {
  return await cost(tokens, make())
}

async function remembered (times) {
  return await cost(Array.from({ length: times }, () => tokens).flat(), check)
}

async function cost (tokens, work) {
  const before = process.cpuUsage()
  await each(tokens, work)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / tokens.length
}

async function each (tokens, work) {
  for (const token of tokens) await work(token)
}

function checkSignature (token) {
  const end = token.lastIndexOf('.')
  return verify(
    'sha256',
    Buffer.from(token.slice(0, end)),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(token.slice(end + 1), 'base64url')
  )
}

async function text (stream) {
  let all = ''
  for await (const chunk of stream.setEncoding('utf8')) all += chunk
  return all
}
