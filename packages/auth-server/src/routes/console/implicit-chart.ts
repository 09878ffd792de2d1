import { DAY_MS } from '../../lifetimes.js'
import type { ImplicitUse } from '../../stores/operation/implicit-uses.js'
import { isoWeek } from '../../stores/operation/implicit-use-counter.js'

/** Weeks in a chart. */
const WEEKS = 12

/** The height of the highest bar and the distance between bars, in units of the drawing. */
const [HEIGHT, DISTANCE] = [80, 28]

/** The bars of the last weeks, oldest first, with their positions in the drawing. */
export function chartOf (uses: ReadonlyArray<Pick<ImplicitUse, 'week' | 'uses'>>, now: Date) {
  const counts = new Map(uses.map(({ week, uses }) => [week, uses]))
  const weeks = Array.from({ length: WEEKS }, (_, index) => isoWeek(new Date(now.getTime() - (WEEKS - 1 - index) * 7 * DAY_MS)))
  const bars = weeks.map(week => ({ week, uses: counts.get(week) ?? 0 }))
  const most = Math.max(...bars.map(({ uses }) => uses))
  return {
    most,
    height: HEIGHT,
    width: WEEKS * DISTANCE,
    bars: bars.map(({ week, uses }, index) => {
      // A small bar must still be visible.
      const height = uses === 0 ? 0 : Math.max(2, Math.round(uses / most * HEIGHT))
      const [x, middle, y] = [index * DISTANCE + 4, (index + 0.5) * DISTANCE, HEIGHT - height]
      return { week, uses, label: index % 2 === 1 ? week.slice(5) : '', x, middle, y, height }
    })
  }
}
