import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import type { Test } from 'tap'
import { read } from './sources.js'
import type { Stack } from './stack.js'

/** How long a site may take to start, in milliseconds. */
const START_TIMEOUT_MS = 60_000

/** The first block of a page of docs/how-to in a language. @throws if it has none */
export function blockOf (page: string, language: string): string {
  const [, indent, block] = new RegExp(`^( *)\`\`\`${language}\\n(.*?)^\\1\`\`\`$`, 'ms').exec(read(page)) ?? []
  if (block === undefined) throw new Error(`${page} has no block in ${language}.`)
  return block.replaceAll(new RegExp(`^${indent}`, 'gm'), '')
}

/**
 * Puts the addresses of a stack, and a port for the one that the page names, into a text. The app is named after the port,
 * so that a stack can have those of several pages.
 */
export function withAddresses (stack: Stack, [named, port]: readonly [named: number, port: number]): (text: string) => string {
  const addresses: Record<string, string> = {
    [named]: String(port), 'http://localhost:3000': stack.issuer, 'http://localhost:3001': stack.address('customer-service')
  }
  // In one pass: the port of a stack may begin with 3000, too.
  const replaced = new RegExp(`http://localhost:300[01]\\b|${named}`, 'g')
  return text => text.replaceAll(replaced, found => addresses[found]!).replaceAll(/\bmy-(?:spa|site)\b/g, `$&-${port}`)
}

/** The lines that `client show --for` prints for the app of a page, which is registered, and that the page lacks. */
export async function settingsMissingIn (page: string, stack: Stack, here: (text: string) => string, library: string): Promise<string[]> {
  const [name] = /my-(?:spa|site)/.exec(read(page))!
  const printed = (await stack.register(['client', 'show', here(name), '--for', library])).split('\n').map(line => line.trim().replace(/,$/, ''))
  return printed.filter(line => /^(?!import|from|const|client = )[\w']/.test(line) && !here(read(page)).includes(line))
}

/** Registers the app of a page with the command there, if there is one. Gives its secret, or nothing. */
export async function registerAppOf (stack: Stack, page: string, here: (text: string) => string): Promise<string> {
  const [, command] = /^ *npx --no frontdesk-auth (client add .*)$/m.exec(read(page)) ?? []
  if (command === undefined) return ''
  const words = [...here(command).matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word!)
  // as: what --json prints.
  const { secret = '' } = JSON.parse(await stack.register([...words, '--json'])) as { secret?: string }
  return secret
}

/** A site in a process of its own, until the test ends. */
export interface Site {
  child: ChildProcess
  /** What it wrote until now. */
  log: () => string
}

/** Starts a site and waits until it answers at its origin, which may be a refusal. @throws with what it wrote if it ends instead */
export async function startSite (
  t: Test,
  origin: string,
  [program, ...args]: readonly [program: string, ...args: string[]],
  env: Record<string, string>
): Promise<Site> {
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ...env }, stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  const exited = once(child, 'exit')
  // A test file that breaks off must not leave it behind.
  const kill = () => child.kill('SIGKILL')
  process.once('exit', kill)
  t.teardown(async () => {
    kill()
    await exited
    process.off('exit', kill)
  })
  const lines: string[] = []
  for (const stream of [child.stdout!, child.stderr!]) createInterface(stream).on('line', line => { lines.push(line) })
  const log = () => lines.join('\n')
  const deadline = Date.now() + START_TIMEOUT_MS
  while (!await fetch(origin, { redirect: 'manual' }).then(({ status }) => status < 500, () => false)) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`The site does not start.\n${log()}`)
    await setTimeout(50)
  }
  return { child, log }
}
