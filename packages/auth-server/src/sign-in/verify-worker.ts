import { verifySync } from '@node-rs/argon2'

/** Compares a password with a hash, in a thread of its own. */
export default function verify ({ passwordHash, password }: { passwordHash: string, password: string }): boolean {
  return verifySync(passwordHash, password)
}
