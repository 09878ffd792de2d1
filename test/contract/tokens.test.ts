import { thrownBy } from '@frontdesk/test-kit/thrown'
import { Value } from '@sinclair/typebox/value'
import t from 'tap'
import type { Config } from '../../packages/customer-service/src/config.js'
import type { Keys } from '../../packages/customer-service/src/keys/keys.js'
import type { createStepUpCheck } from '../../packages/customer-service/src/tokens/step-up.js'
import type { createVerifier } from '../../packages/customer-service/src/tokens/verify.js'
import type { AccessToken } from '../../packages/schemas/src/access-token.js'
import { load } from '../support/load.js'
import { committed, isWriting, upToDate } from '../support/contract/committed.js'
import { makeVectors, type Vectors } from '../support/contract/vectors.js'

const schemas = await import('@frontdesk/schemas/access-token')

await t.test('the claims of an access token are those that are written down', async t => {
  const before = await committed('access-token.schema.json')
  // as: that is what is written there.
  const { properties, required } = (before === undefined ? schemas.AccessToken : JSON.parse(before)) as typeof schemas.AccessToken
  const [good] = (await makeVectors()).vectors
  const [header, claims] = good!.token.split('.', 2)
    .map(part => JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>) as [object, Record<string, unknown>]
  t.same(header, { typ: 'at+jwt', alg: 'EdDSA', kid: 'signer' })
  t.ok(Value.Check(schemas.AccessToken, claims), 'every claim is of its type')
  if (!isWriting) {
    // Only tokens that are bound to a key have `cnf`, and only those with the scope `roles` one of the others.
    const { cnf, roles, groups, ...usual } = properties
    t.ok(cnf && roles && groups)
    for (const name of Object.keys(usual)) t.ok(name in claims, `auth-server's access token has the claim "${name}", as test/contract/recorded/access-token.schema.json says`)
    for (const name of Object.keys(
      claims
    )) t.ok(name in properties, `test/contract/recorded/access-token.schema.json knows the claim "${name}" of auth-server's access token`)
  }
  t.ok(required?.includes('exp'))
  await upToDate(t, 'access-token.schema.json', {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: 'Claims of an access token (RFC 9068 §2.2)',
    ...schemas.AccessToken
  })
})

await t.test('the token vectors are what the signer of auth-server makes', async t => {
  await upToDate(t, 'tokens.json', await makeVectors())
})

await t.test('the verifier of customer-service accepts what auth-server signs and refuses every bad variant', async t => {
  // as: makeVectors wrote it.
  const { now, issuer, audience, jwks, stepUp, vectors } = JSON.parse(await committed('tokens.json') ?? '') as Vectors
  const service = {
    config: await load<{ loadConfig: (env: Record<string, string>) => Config }>('customer-service', 'config.js'),
    keys: await load<{ Keys: typeof Keys }>('customer-service', 'keys/keys.js'),
    verify: await load<{ createVerifier: typeof createVerifier }>('customer-service', 'tokens/verify.js'),
    stepUp: await load<{ createStepUpCheck: typeof createStepUpCheck }>('customer-service', 'tokens/step-up.js')
  }
  const { auth } = service.config.loadConfig({ ISSUER: issuer, AUDIENCE: audience })
  if (auth === null) throw new Error('AUTH is required unless it is set')
  const time = () => Date.parse(now)
  let fetches = 0
  const keys = new service.keys.Keys({
    url: auth.jwksUrl,
    log: { info () {}, warn () {} },
    // as: the key set of the vectors.
    fetch: async () => { fetches++; return { text: JSON.stringify(jwks), jwks: jwks as { keys: [] } } },
    now: time
  })
  t.teardown(() => keys.stop())
  await keys.start()
  const verify = service.verify.createVerifier(auth, keys, null, time)
  const check = service.stepUp.createStepUpCheck({ ...stepUp, clients: [] }, time)
  t.same(check.parameters, { acr_values: 'urn:frontdesk:acr:mfa phr', max_age: '300' })
  t.ok(vectors.length > 40, `${vectors.length} tokens`)
  for (const { name, token, accepted, steppedUp } of vectors) {
    const outcome: AccessToken | Error = await Promise.resolve(verify(token)).catch((error: Error) => error)
    if (accepted) t.notOk(outcome instanceof Error, `accepted: ${name}${outcome instanceof Error ? `, but: ${outcome.message}` : ''}`)
    else t.match(outcome, { kind: { status: 401, challenge: 'invalid_token' } }, `refused with 401 invalid_token: ${name}`)
    if (steppedUp === undefined || outcome instanceof Error) continue
    const refusal = thrownBy(() => check.assert(outcome)) as { kind: { name: string } } | undefined // as: it throws only problems.
    t.equal(refusal?.kind.name ?? 'accepted', steppedUp, `for an operation that requires a step-up: ${name}`)
  }
  t.equal(fetches, 2, 'asked once at the start, and once for all the unknown keys')
})
