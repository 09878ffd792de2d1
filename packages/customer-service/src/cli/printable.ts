import { short } from '@frontdesk/service-kit/doctor/explain'

/** A text of another server, short and without control characters, which could change what the terminal shows. */
export function printable (text: string, longest?: number): string {
  return short(text.replace(/\p{C}/gu, ''), longest)
}

/** Whole sentences of customer-service, whose lengths it bounds itself; another server may answer in its place. */
export function printableSentences (text: string): string {
  return printable(text, 1_000)
}
