import { showable } from '@frontdesk/service-kit/terminal/showable'

/** A text in quotes, with control characters escaped as in JSON. */
export function quote (text: string): string {
  return showable(JSON.stringify(text))
}
