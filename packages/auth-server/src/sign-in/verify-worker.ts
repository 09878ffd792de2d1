import { verifyHash } from './foreign-hash.js'

/** Verifies a password against its hash. Runs in its own thread. */
export default async function verify ({ passwordHash, password }: { passwordHash: string, password: string }): Promise<boolean> {
  return await verifyHash(passwordHash, password)
}
