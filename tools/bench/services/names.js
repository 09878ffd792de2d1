const SYLLABLES = 'an be car da el fi gu ha is jo ka lo ma ni o pe ri so ta u ve wil yo zu'.split(' ')
const capital = text => text[0].toUpperCase() + text.slice(1)

/** The word with a number. */
export const word = index =>
  SYLLABLES[index % 24] + SYLLABLES[Math.floor(index / 24) % 24] + (index < 576 ? '' : SYLLABLES[Math.floor(index / 576) % 24])

/** A skewed distribution: the first of a thousand is fifty times as frequent as the last. */
export const often = count => Math.floor(count * Math.random() ** 2.5)

/** Names as people have them: few are frequent, and many are rare. */
export const given = () => capital(word(often(500)))
export const family = () => capital(word(often(8_000) + 600))
export const street = () => `${capital(word(often(2_000)))} ${['Street', 'Road', 'Avenue', 'Lane'][often(4)]}`
export const town = () => capital(word(often(400) + 3_000))

const CHARACTERS = [...'田山川本木村林中小大上下高野口井島松石原藤佐伊加渡斎吉清池橋長前岡谷近坂遠青西東南北太郎花子一美明和']

/** Two of them, as in most Japanese names: some pairs are frequent. */
export const twoCharacters = () => CHARACTERS[often(CHARACTERS.length)] + CHARACTERS[often(CHARACTERS.length)]
