import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Test } from 'tap'
import { root } from '../stack.js'

/** How `npm test` ended. */
export interface Outcome { code: number | null, output: string, last: string }

/** A clone in a temporary folder: our scripts and packages, and other tests. */
export class Clone {
  readonly folder: string

  constructor (folder: string) {
    this.folder = folder
  }

  /** @param files their texts by their paths; a test, in JavaScript, also where it is compiled to */
  static async create (t: Test, files: Record<string, string>): Promise<Clone> {
    const clone = new Clone(await mkdtemp(join(tmpdir(), 'frontdesk-runner-')))
    t.teardown(() => rm(clone.folder, { recursive: true, force: true }))
    const copy = async (file: string) => await cp(join(root, file), join(clone.folder, file), { recursive: true })
    for (const file of ['scripts', 'package.json', 'package-lock.json']) await copy(file)
    await mkdir(join(clone.folder, 'node_modules'))
    for (const name of await readdir(join(root, 'node_modules'))) {
      // What begins with a dot are npm's records and ours, which are written.
      if (/^\.(frontdesk|package-lock\.json)$/.test(name)) await copy(`node_modules/${name}`)
      else if (!name.startsWith('.')) await symlink(join(root, 'node_modules', name), join(clone.folder, 'node_modules', name))
    }
    const nothingToCompile = 'export async function compile () {}\n'
    await clone.write({ 'scripts/compile.js': nothingToCompile, 'prisma/generate.js': '', 'tap.yml': 'jobs: 2\ntimeout: 600\n', ...files })
    return clone
  }

  async write (files: Record<string, string>): Promise<void> {
    for (const [file, content] of Object.entries(files)) {
      const compiled = file.replace(/^(test|packages\/[^/]+)\//, '$1/dist/').replace(/ts$/, 'js')
      for (const path of file.endsWith('.test.ts') ? [file, compiled] : [file]) {
        await mkdir(dirname(join(this.folder, path)), { recursive: true })
        await writeFile(join(this.folder, path), content)
      }
    }
  }

  /** `npm test -- <args>`, from a folder of the clone. */
  async test (args: readonly string[], { from = '.', env = {} }: { from?: string, env?: Record<string, string> } = {}): Promise<Outcome> {
    const command = [process.execPath, join(this.folder, 'scripts/test.js'), ...args]
    const child = spawn('sh', ['-c', 'exec "$0" "$@" 2>&1', ...command], {
      cwd: join(this.folder, from),
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env }
    })
    const [output] = await Promise.all([text(child.stdout), once(child, 'close')])
    return { code: child.exitCode, output, last: output.trimEnd().split('\n').at(-1)! }
  }

  /** A script of the clone. */
  async script<T> (name: string): Promise<T> {
    // as: the scripts are JavaScript.
    return await import(new URL(`scripts/${name}`, `file://${this.folder}/`).href) as T
  }
}
