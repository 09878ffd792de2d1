/** Puts the no-break spaces of French typography into its sentences: before `: ; ? !` and inside `« »`. */
export function withFrenchSpaces<Sentences extends Readonly<Record<string, string>>> (sentences: Sentences): Sentences {
  const spaced = Object.entries(sentences).map(([key, text]) => [key, text.replace(/ (?=[:;?!»])|(?<=«) /g, '\u00a0')])
  // as: the same keys.
  return Object.fromEntries(spaced) as Sentences
}
