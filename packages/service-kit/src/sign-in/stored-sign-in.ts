import { parseJson } from '../json.js'
import { configFolder } from '../config-folder.js'
import { Type, type Static } from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CommandError } from '../cli/errors.js'
import type { Program } from './authorization-server.js'

/** A sign-in with a program's `login`. */
const SignIn = Type.Object({
  issuer: Type.String(),
  clientId: Type.String(),
  accessToken: Type.String(),
  /** Expiry of the access token in milliseconds since 1970, if the server returned one. */
  endsAt: Type.Optional(Type.Integer()),
  refreshToken: Type.Optional(Type.String()),
  /** The API that the token is for, if the program requested one. */
  resource: Type.Optional(Type.String())
})
export type SignIn = Static<typeof SignIn>

/** How long a command waits for another one that refreshes the token: longer than its requests can take. */
const LOCK_TIMEOUT_MS = 30_000

/** The sign-in of the operating system's user, in a file that only they can read. */
export class StoredSignIn {
  readonly #program: Program
  readonly #folder: string
  readonly #file: string

  /** @param folder created if it is missing */
  constructor (program: Program, folder = configFolder()) {
    this.#program = program
    this.#folder = folder
    this.#file = join(folder, `${program.file}.json`)
  }

  /** @returns `null` without a sign-in @throws CommandError if the file is damaged */
  async read (): Promise<SignIn | null> {
    const text = await readFile(this.#file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null
      throw error
    })
    const found = text === null ? null : parseJson(text)
    if (found === null || Value.Check(SignIn, found)) return found
    throw new CommandError(`${this.#file} is damaged. Remove it, and sign in again with ${this.#program.name} login.`)
  }

  /** Replaces the file, atomically. Call it under {@link locked}. */
  async write (signIn: SignIn): Promise<void> {
    const next = `${this.#file}.new`
    await rm(next, { force: true })
    await writeFile(next, JSON.stringify(signIn), { mode: 0o600, flag: 'wx', flush: true })
    await rename(next, this.#file)
  }

  /** Removes the file. Call it under {@link locked}. */
  async remove (): Promise<void> {
    await rm(this.#file, { force: true })
  }

  /**
   * Runs one command of this user at a time. The lock is that of a SQLite file, which the system releases when a process ends.
   * @throws CommandError if another command holds it for {@link LOCK_TIMEOUT_MS}, or files cannot be written
   */
  async locked<T> (work: () => Promise<T>): Promise<T> {
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 })
      await chmod(this.#folder, 0o700)
      const { default: Database } = await import('better-sqlite3')
      const lock = new Database(join(this.#folder, `${this.#program.file}.lock`), { timeout: LOCK_TIMEOUT_MS })
      try {
        lock.exec('BEGIN EXCLUSIVE')
        return await work()
      } finally {
        lock.close()
      }
    } catch (error) {
      // as: errors of the file system and of SQLite have a code.
      const { code, message } = error as NodeJS.ErrnoException
      if (error instanceof CommandError || code === undefined) throw error
      throw new CommandError(code === 'SQLITE_BUSY'
        ? `Another ${this.#program.name} is using the sign-in. Try again later.`
        : `Cannot store the sign-in in ${this.#folder}: ${message}. Fix that, or set XDG_CONFIG_HOME to another folder.`, { cause: error })
    }
  }
}
