import { readFileSync } from 'node:fs'
import t from 'tap'
import { brandStyle, contrast, GROUNDS } from '../../src/brand/style.js'

const stylesheet = readFileSync(new URL(import.meta.resolve('@frontdesk/design/tokens.css')), 'utf8')

/** The colors of the design, `#rrggbb` by name, in a color scheme. */
function colorsOf (scheme: RegExp): Record<string, string> {
  const declared = scheme.exec(stylesheet)![0].matchAll(/--([\w-]+): (#\w+);/g)
  const inFull = (color: string) => color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color
  return Object.fromEntries([...declared].map(([, name, color]) => [name!, inFull(color!)]))
}

const light = colorsOf(/^:root \{[^}]*\}/m)
const dark = colorsOf(/@media \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}/)

const GROUNDS_OF_PAGES = ['page', 'surface', 'sunken']

t.test('the contrast ratio is that of WCAG 2.2', async t => {
  const rows = [['#000000', '#ffffff', 21], ['#ffffff', '#ffffff', 1], ['#767676', '#ffffff', 4.54], ['#777777', '#ffffff', 4.48], ['#0000ff', '#ff0000', 2.15]] as const
  for (const [one, other, ratio] of rows) t.equal(contrast(one, other).toFixed(2), ratio.toFixed(2), `${one} ${other}`)
})

t.test('whatever the color, texts of buttons and links have the contrast of level AA in light and dark (WCAG 2.2 §1.4.3)', async t => {
  t.same([light.sunken, dark.sunken], [GROUNDS.light, GROUNDS.dark])
  const parts = [0, 51, 102, 120, 153, 204, 255].map(part => part.toString(16).padStart(2, '0'))
  const colors = parts.flatMap(red => parts.flatMap(green => parts.map(blue => `#${red}${green}${blue}`)))
  const poor = colors.filter(color => {
    const [forLight, button, strong, onButton, forDark] = brandStyle(color).match(/#\w{6}/g) as [string, string, string, string, string]
    const links = GROUNDS_OF_PAGES.flatMap(ground => [[forLight, light[ground]], [forDark, dark[ground]]])
    const pairs = [[button, onButton], [strong, onButton], ...links]
    return button !== color || pairs.some(([one, other]) => contrast(one!, other!) < 4.5)
  })
  t.same(poor, [])
})

t.test('texts and borders of the design have the contrast of level AA in light and dark (WCAG 2.2 §1.4.3, §1.4.11)', async t => {
  const everywhere = ['text', 'muted', 'accent', 'danger', 'good', 'warn']
  const texts = {
    ...Object.fromEntries(GROUNDS_OF_PAGES.map(ground => [ground, everywhere])),
    'danger-tint': ['text', 'danger'],
    'warn-tint': ['muted', 'warn'],
    tint: ['accent'],
    accent: ['on-button'],
    'button-strong': ['on-button'],
    toast: ['on-toast', 'on-toast-accent']
  }
  for (const [scheme, colors] of Object.entries({ light, dark })) {
    for (const [ground, names] of Object.entries(texts)) {
      t.same(names.filter(name => contrast(colors[name]!, colors[ground]!) < 4.5), [], `${scheme}: on ${ground}`)
    }
    t.same(['page', 'surface'].filter(ground => contrast(colors.edge!, colors[ground]!) < 3), [], `${scheme}: edges`)
  }
})

t.test('a color that has enough contrast stays as it is', async t => {
  t.match(brandStyle('#3b4cca'), '--accent: #3b4cca; --button: #3b4cca; --button-strong: #3241ac; --on-button: #ffffff;')
  t.match(brandStyle('#ffcc00'), /--accent: #8a6e00; --button: #ffcc00; .*--on-button: #000000;[^]*dark.*--accent: #ffcc00/)
})
