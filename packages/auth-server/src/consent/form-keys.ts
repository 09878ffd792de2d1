import { deriveKey } from '../keys/derive.js'
import type { FormKeys } from './transaction.js'

/** The keys of the forms: those of the previous secret are still good while it is changed. */
export function deriveFormKeys ({ secretKey, previousSecretKey }: { secretKey: string, previousSecretKey: string | undefined }): FormKeys {
  const previous = previousSecretKey === undefined ? [] : [deriveKey(previousSecretKey, 'consent form')]
  return [deriveKey(secretKey, 'consent form'), ...previous]
}
