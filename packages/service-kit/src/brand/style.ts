/** The backgrounds with the least contrast to text in the brand color: `--sunken` of the design, light and dark. */
export const GROUNDS = { light: '#f5f6fa', dark: '#1d202a' } as const

/** Lowest contrast of text (WCAG 2.2 §1.4.3, level AA). */
const TEXT_CONTRAST = 4.5

const [WHITE, BLACK] = ['#ffffff', '#000000']

/**
 * The part of the stylesheet that sets the brand color, `#rrggbb`. Buttons have the color itself, with black or white text: one of
 * these always has enough contrast. For links and focus, the color is made darker or lighter until its contrast suffices.
 */
export function brandStyle (color: string): string {
  const text = contrast(color, WHITE) > contrast(color, BLACK) ? WHITE : BLACK
  const pressed = mix(color, text === WHITE ? BLACK : WHITE, 0.15)
  return `:root { --accent: ${legible(color, BLACK, GROUNDS.light)}; --button: ${color}; --button-strong: ${pressed}; --on-button: ${text}; }
@media (prefers-color-scheme: dark) { :root { --accent: ${legible(color, WHITE, GROUNDS.dark)}; } }
`
}

/** Mixes a color with just enough of another one for sufficient contrast with a background. */
function legible (color: string, other: string, ground: string): string {
  let share = 0
  let mixed = color
  while (contrast(mixed, ground) < TEXT_CONTRAST) mixed = mix(color, other, share += 0.02)
  return mixed
}

function mix (color: string, other: string, share: number): string {
  const others = channels(other)
  const mixed = channels(color).map((channel, index) => Math.round(channel * (1 - share) + others[index]! * share))
  return `#${mixed.map(channel => channel.toString(16).padStart(2, '0')).join('')}`
}

/** Contrast ratio of two colors, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast (one: string, other: string): number {
  const [lighter, darker] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number]
  return (lighter + 0.05) / (darker + 0.05)
}

/** WCAG 2.2, "relative luminance". */
function luminance (color: string): number {
  const [red, green, blue] = channels(color).map(channel => channel / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4) as [number, number, number]
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

/** Red, green and blue, 0 to 255. */
function channels (color: string): number[] {
  return [1, 3, 5].map(start => parseInt(color.slice(start, start + 2), 16))
}
