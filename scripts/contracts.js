// `npm run contracts`: writes what the services promise each other and their clients into test/contract/recorded/, and what
// documentation shows: answers of customer-service and the settings of both.
// A change that breaks clients of an API is refused, unless `-- --breaking` says that it is meant.
import { finished } from 'node:stream/promises'
import { testsAt } from './find-tests.js'
import Reporter from './reporter.js'
import { runTests } from './run-tests.js'

const contracts = ['auth-server', 'tokens', 'openapi'].map(name => `test/contract/${name}.test.ts`)
const answers = ['problems/examples', 'jax-rs/jax-rs'].map(name => `packages/customer-service/test/${name}.test.ts`)
const settings = 'test/docs.test.ts'
Object.assign(process.env, { CONTRACTS: 'write' }, process.argv.includes('--breaking') ? { BREAKING: 'yes' } : {})
const reporter = new Reporter()
reporter.pipe(process.stdout)
// None of them needs PostgreSQL.
await runTests(testsAt([...contracts, ...answers, settings]).filter(({ needsPostgresql }) => !needsPostgresql), undefined, reporter)
await finished(reporter)
