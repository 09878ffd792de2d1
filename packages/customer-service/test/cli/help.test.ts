import { walkHelp } from '@frontdesk/test-kit/help-pages'
import t from 'tap'
import { run } from '../support/cli/frontdesk-customer.js'

t.test('every command has help that fits 80 columns if the output is not a terminal, and --json', async t => {
  const paths: string[] = []
  for await (const { path, text } of walkHelp(async path => (await run([...path, '--help'])).stdout)) {
    paths.push(path.join(' '))
    if (!text.includes('\nCommands:\n')) t.match(text, /^ {2}--json /m, path.join(' '))
    t.strictSame(text.split('\n').filter(line => line.length > 80), [], path.join(' '))
  }
  for (const path of ['', 'db copy', 'demo add', 'import', 'login', 'webhook enable']) t.ok(paths.includes(path), path)
})
