import { walkHelp } from '@frontdesk/test-kit/help-pages'
import t from 'tap'
import { atTerminal, hasTerminal } from '../support/cli/frontdesk-auth.js'
import { runLoaded } from '../support/cli/loaded.js'

t.test('every command has help that fits 80 columns if the output is not a terminal, and --json', async t => {
  const paths: string[] = []
  for await (const { path, text } of walkHelp(path => runLoaded([...path, '--help']).stdout)) {
    paths.push(path.join(' '))
    t.strictSame(text.split('\n').filter(line => line.length > 80), [], path.join(' '))
    t.match(text, `Usage: ${['frontdesk-auth', ...path].join(' ')} [options]`)
    if (!text.includes('\nCommands:\n')) t.match(text, /^ {2}--json /m, path.join(' '))
  }
  t.ok(paths.length > 50, `${paths.length} commands`)
  for (const path of ['', 'client add', 'client secret remove', 'db backup', 'completion']) t.ok(paths.includes(path), path)
})

t.test('on a wide terminal, help uses its width', {
  skip: hasTerminal ? false : 'There is no `script` of util-linux. On Debian: apt-get install bsdutils'
}, async t => {
  const { screen } = await atTerminal('client add --help', { TERM: 'xterm' }, [], '/dev/tty', 140)
  const widest = Math.max(...screen.split('\n').map(line => line.trimEnd().length))
  t.ok(widest > 100 && widest <= 140, `${widest} columns`)
})
