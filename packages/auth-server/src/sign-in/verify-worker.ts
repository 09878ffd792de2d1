import { verifySync } from '@node-rs/argon2'

/** Verifies a password against its hash. Runs in its own thread. */
export default function verify ({ passwordHash, password }: { passwordHash: string, password: string }): boolean {
  return verifySync(passwordHash, password)
}
