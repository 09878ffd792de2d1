import { execFileSync } from 'node:child_process'
import t from 'tap'
import { run } from '../support/cli/frontdesk-auth.js'
import { runLoaded } from '../support/cli/loaded.js'

/** What bash offers for a line, its last word being completed. */
function offered (script: string, line: string): string[] {
  const words = line.split(' ')
  const program = `${script}\nCOMP_WORDS=("$@"); COMP_CWORD=${words.length - 1}; _frontdesk_auth; printf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-c', program, 'bash', ...words], { encoding: 'utf8' }).split('\n').filter(word => word !== '')
}

t.test('bash completes commands and options, and leaves arguments to files', t => {
  const { code, stdout } = run(['completion', 'bash'])
  t.equal(code, 0)
  const rows: Array<[line: string, words: string[]]> = [
    ['frontdesk-auth cl', ['client']],
    ['frontdesk-auth client s', ['show', 'secret']],
    ['frontdesk-auth client secret ', ['add', 'list', 'remove', 'help']],
    ['frontdesk-auth client add shop --au', ['--auth-method']],
    ['frontdesk-auth client add $(exit 3) --au', ['--auth-method']],
    ['frontdesk-auth audit list --client add --be', ['--before']],
    ['frontdesk-auth apply --pr', ['--prune']],
    ['frontdesk-auth apply -f ', []],
    [
      'frontdesk-auth nothing of it ',
      'client registration user sign-up role keys audit mail settings report apply export db doctor serve login logout completion help'.split(' ')
    ]
  ]
  for (const [line, words] of rows) t.same(offered(stdout, line), words, line)
  t.end()
})

t.test('zsh and fish complete the same commands', t => {
  const [zsh, fish] = ['zsh', 'fish'].map(shell => runLoaded(['completion', shell]).stdout)
  t.ok(zsh?.endsWith(runLoaded(['completion', 'bash']).stdout))
  t.match(zsh, /^autoload -U \+X compinit/)
  t.match(fish, "complete -c frontdesk-auth -n 'test (__frontdesk_auth_path) = \" client secret\"' -f -a remove -d ")
  t.match(
    fish,
    "complete -c frontdesk-auth -n 'test (__frontdesk_auth_path) = \" apply\"' -l prune -d 'remove the clients and roles that are not in the file'"
  )
  t.match(fish, "the user\\'s device", 'quotes are escaped')
  t.match(runLoaded(['completion', 'sh']), { code: 2, stderr: 'Allowed choices are bash, zsh, fish.' })
  t.end()
})
