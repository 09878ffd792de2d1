import type { Config } from '../../config.js'
import { copyDatabase, type Copied, type Progress } from '@frontdesk/database/copy'
import { MIGRATIONS, NAME } from './open.js'

/** Copies everything into another, empty database: all of it or nothing. @throws CopyRefusal with a sentence */
export async function copyStores (from: string, to: string, options: Config['database'], progress: Progress): Promise<Copied> {
  return await copyDatabase(from, to, MIGRATIONS, { ...options, ...NAME }, progress)
}

export { backUp } from '@frontdesk/database/backup'
