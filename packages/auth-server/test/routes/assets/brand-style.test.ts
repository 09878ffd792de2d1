import { readFileSync } from 'node:fs'
import t from 'tap'
import { brandStyle, contrast, GROUNDS } from '../../../src/routes/assets/brand-style.js'

const stylesheet = readFileSync(new URL('../../../../public/style.css', import.meta.url), 'utf8')

t.test('the contrast ratio is that of WCAG 2.2', async t => {
  const rows = [['#000000', '#ffffff', 21], ['#ffffff', '#ffffff', 1], ['#767676', '#ffffff', 4.54], ['#777777', '#ffffff', 4.48], ['#0000ff', '#ff0000', 2.15]] as const
  for (const [one, other, ratio] of rows) t.equal(contrast(one, other).toFixed(2), ratio.toFixed(2), `${one} ${other}`)
})

t.test('whatever the color, texts of buttons and links have the contrast of level AA in light and dark (WCAG 2.2 §1.4.3)', async t => {
  const grounds = (scheme: RegExp) => ['ground', 'card'].map(name => new RegExp(`--${name}: (#\\w+)`).exec(scheme.exec(stylesheet)![0])![1]!)
    .map(color => color.length === 4 ? color.replaceAll(/[^#]/g, '$&$&') : color)
  const [light, dark] = [grounds(/^:root \{[^}]*\}/), grounds(/@media \(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}/)]
  t.same([light[0], dark[1]], [GROUNDS.light, GROUNDS.dark], 'the backgrounds of the stylesheet')
  const parts = [0, 51, 102, 120, 153, 204, 255].map(part => part.toString(16).padStart(2, '0'))
  const colors = parts.flatMap(red => parts.flatMap(green => parts.map(blue => `#${red}${green}${blue}`)))
  const poor = colors.filter(color => {
    const [forLight, button, strong, onButton, forDark] = brandStyle(color).match(/#\w{6}/g) as [string, string, string, string, string]
    const pairs = [[button, onButton], [strong, onButton], ...light.map(it => [forLight, it]), ...dark.map(it => [forDark, it])]
    return button !== color || pairs.some(([one, other]) => contrast(one!, other!) < 4.5)
  })
  t.same(poor, [])
})

t.test('a color that has enough contrast stays as it is', async t => {
  t.match(brandStyle('#3b4cca'), '--accent: #3b4cca; --button: #3b4cca; --button-strong: #3241ac; --on-button: #ffffff;')
  t.match(brandStyle('#ffcc00'), /--accent: #856a00; --button: #ffcc00; .*--on-button: #000000;[^]*dark.*--accent: #ffcc00/)
})
