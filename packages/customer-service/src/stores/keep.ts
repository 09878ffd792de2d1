import type { Config } from '../config.js'
import { copyDatabase, type Copied, type Progress } from '@frontdesk/database/copy'
import { MIGRATIONS } from './maintain.js'

const NAME = { applicationName: 'customer-service' }

/** What lists are made from; triggers of the target note each customer that it gets. */
const made = ['listed_customer', 'listed_word', 'unlisted']

/** Copies every customer into another, empty database: all of them or none. @throws CopyRefusal with a sentence */
export async function copyRegister (from: string, to: string, options: Config['database'], progress: Progress): Promise<Copied> {
  return await copyDatabase(from, to, MIGRATIONS, { ...options, ...NAME, made }, progress)
}

export { backUp } from '@frontdesk/database/backup'
