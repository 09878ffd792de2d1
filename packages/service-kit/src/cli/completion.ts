import type { Command } from 'commander'
import { command, type Define } from './command.js'
import { UsageError } from './errors.js'

/** A command, and the words that can follow it: subcommands and options. */
interface Place { path: string, commands: readonly Command[], options: ReadonlyArray<{ name: string, description: string }> }

const SCRIPTS: Record<string, (name: string, places: readonly Place[]) => string> = { bash, zsh, fish }

/** `completion`: prints a script that completes every command and option in a shell. Defined after all other commands. */
export const completion: Define = (program, connect) => {
  const name = program.name()
  const print = async ({ shell }: { readonly shell: string }) => {
    const script = SCRIPTS[shell]
    if (script === undefined) {
      throw new UsageError(`there is no script for ${shell}. Allowed choices are ${Object.keys(SCRIPTS).join(', ')}.`)
    }
    return { shell, script: script(name, listPlaces(program, '')) }
  }
  command('completion <shell>', {
    says: 'Print the script that completes commands and options in a shell.',
    more: `Example, for the shell that runs:
  bash  source <(${name} completion bash)
  zsh   source <(${name} completion zsh)
  fish  ${name} completion fish | source`,
    run: print,
    remote: async (_, input) => await print(input),
    text: ({ script }) => script
  })(program, connect)
}

function listPlaces (command: Command, path: string): Place[] {
  const help = command.createHelp()
  const commands = help.visibleCommands(command)
  const options = help.visibleOptions(command).flatMap(({ long, description }) => long == null ? [] : [{ name: long, description }])
  return [{ path, commands, options }, ...commands.flatMap(it => listPlaces(it, `${path} ${it.name()}`))]
}

/** Skips arguments and options among the words before the cursor. */
function bash (name: string, places: readonly Place[]): string {
  const words = (names: readonly string[]) => names.join(' ')
  return `_${id(name)} () {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' word commands='' options=''
  for word in "\${COMP_WORDS[@]:1:$((COMP_CWORD - 1))}"; do
    case "$at $word" in ${places.slice(1).map(({ path }) => `'${path}'`).join('|')}) at="$at $word" ;; esac
  done
  case "$at" in
${places.map(({ path, commands, options }) => `    '${path}') commands='${words(commands.map(it => it.name()))}' options='${words(options.map(it => it.name))}' ;;`).join('\n')}
  esac
  case "$cur" in -*) commands=$options ;; esac
  COMPREPLY=($(compgen -W "$commands" -- "$cur"))
}
complete -o default -F _${id(name)} ${name}`
}

function zsh (name: string, places: readonly Place[]): string {
  return `autoload -U +X compinit && compinit -u\nautoload -U +X bashcompinit && bashcompinit\n${bash(name, places)}`
}

function fish (name: string, places: readonly Place[]): string {
  const quote = (text: string) => `'${text.replace(/[\\']/g, '\\$&')}'`
  const line = (path: string, more: string, description: string) =>
    `complete -c ${name} -n 'test (__${id(name)}_path) = "${path}"' ${more} -d ${quote(description)}`
  return `function __${id(name)}_path
  set -l at ''
  for word in (commandline -opc)[2..-1]
    contains -- "$at $word" ${places.slice(1).map(({ path }) => quote(path)).join(' ')}; and set at "$at $word"
  end
  echo "$at"
end
${places.flatMap(({ path, commands, options }) => [
  ...commands.map(it => line(path, `-f -a ${it.name()}`, it.description())),
  ...options.map(it => line(path, `-l ${it.name.slice(2)}`, it.description))
]).join('\n')}`
}

/** A valid name for a shell function. */
function id (name: string): string {
  return name.replaceAll('-', '_')
}
