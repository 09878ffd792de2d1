import SwaggerParser from '@apidevtools/swagger-parser'
import spectralCore from '@stoplight/spectral-core'
import { oas } from '@stoplight/spectral-rulesets'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import t from 'tap'
import { root, startStack } from '../support/stack.js'

const stack = await startStack(t, ['auth-server', 'customer-service'])
const folder = await mkdtemp(join(tmpdir(), 'openapi-'))
t.teardown(() => rm(folder, { recursive: true }))

/** Neither asks anybody for news, nor tells anybody that it runs. */
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' }

const documents = await Promise.all((['auth-server', 'customer-service'] as const).map(async service => {
  const text = await (await fetch(`${stack.address(service)}/openapi.json`)).text()
  const file = join(folder, `${service}.json`)
  await writeFile(file, text)
  return { service, text, file }
}))

for (const { service, text, file } of documents) {
  await t.test(`the OpenAPI document of ${service} has no error for redocly lint`, async t => {
    const redocly = join(root, 'node_modules/@redocly/cli/bin/cli.js')
    const { stdout } = await promisify(execFile)(process.execPath, [redocly, 'lint', file, '--format=json'], {
      cwd: folder, env: { ...process.env, ...quiet }
    })
    // as: what a program wrote that ended with another code than 0 is on the error.
      .catch(error => error as { stdout: string })
    const { totals, problems } = JSON.parse(
      stdout
    ) as { totals: { errors: number }, problems: Array<{ severity: string, ruleId: string, message: string, location: object[] }> }
    t.same(problems.filter(({ severity }) => severity === 'error'), [])
    t.equal(totals.errors, 0)
  })

  await t.test(`the OpenAPI document of ${service} has no error for Spectral`, async t => {
    const spectral = new spectralCore.Spectral()
    // as: the package's own types of its ruleset are those of another copy.
    spectral.setRuleset(oas as unknown as Parameters<typeof spectral.setRuleset>[0])
    const problems = await spectral.run(JSON.parse(text) as Record<string, unknown>)
    t.same(
      problems.filter(({ severity }) => severity === 0).map(({ code, message, path }) => ({ code, message, path: path.join('.') })),
      []
    )
  })

  await t.test(`the OpenAPI document of ${service} has no error for swagger-parser`, async t => {
    await t.resolves(SwaggerParser.validate(file))
  })
}

await t.test('they find what is wrong', async t => {
  const broken = {
    openapi: '3.1.0',
    info: { title: 'x', version: '1' },
    paths: {
      '/a': {
        get: { operationId: 'a', responses: { 200: { description: 'x' } } },
        post: {
          operationId: 'a',
          responses: { 200: { description: 'x', content: { 'application/json': { schema: { $ref: '#/nowhere' } } } } }
        }
      }
    }
  }
  const file = join(folder, 'broken.json')
  await writeFile(file, JSON.stringify(broken))
  await t.rejects(
    promisify(execFile)(process.execPath, [join(root, 'node_modules/@redocly/cli/bin/cli.js'), 'lint', file, '--format=json'], {
      cwd: folder, env: { ...process.env, ...quiet }
    })
  )
  await t.rejects(SwaggerParser.validate(file))
  const spectral = new spectralCore.Spectral()
  // as: above.
  spectral.setRuleset(oas as unknown as Parameters<typeof spectral.setRuleset>[0])
  t.ok((await spectral.run(broken)).some(({ severity, code }) => severity === 0 && code === 'operation-operationId-unique'))
})
