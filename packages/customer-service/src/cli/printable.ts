import { short } from '@frontdesk/service-kit/doctor/explain'

/** A text of another server, short and without control characters, which could change what the terminal shows. */
export function printable (text: string): string {
  return short(text.replace(/\p{C}/gu, ''))
}
