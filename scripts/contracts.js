// `npm run contracts` records what the services promise each other and their clients in test/contract/recorded/, and what the
// documentation shows: responses of customer-service, and both services' settings.
// It refuses a change that breaks clients of an API; `-- --breaking` allows it.
import { testsAt } from './find-tests.js'
import { runTests } from './run-tests.js'

const contracts = ['auth-server', 'tokens', 'openapi'].map(name => `test/contract/${name}.test.ts`)
const answers = ['problems/examples', 'jax-rs/jax-rs'].map(name => `packages/customer-service/test/${name}.test.ts`)
const settings = 'test/docs.test.ts'
Object.assign(process.env, { CONTRACTS: 'write' }, process.argv.includes('--breaking') ? { BREAKING: 'yes' } : {})
await runTests(testsAt([...contracts, ...answers, settings]).filter(({ needsPostgresql }) => !needsPostgresql))
