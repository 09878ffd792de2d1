import { record as recordBy } from '../admin/audit.js'
import { shell } from './with-stores.js'

type Given = Parameters<typeof recordBy>

/** Records the change of a command in the audit trail, with the operating system's user. */
export async function record (stores: Given[0], event: Given[1], about: Given[2]): Promise<void> {
  await recordBy(stores, event, about, shell())
}
