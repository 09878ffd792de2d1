import { median } from '../rows.js'

/** One-sided risk of a 95 % confidence interval. */
const RISK = 0.025

/** Fewer pairs have no interval of 95 %. */
export const LEAST_PAIRS = 6

/**
 * How many times greater the second numbers of pairs are: the Hodges-Lehmann estimate, and the confidence interval of
 * Wilcoxon's signed-rank test. It is exact for few pairs, and an outlier does not widen it, unlike that of a t-test.
 * @param {Array<[before: number, after: number]>} pairs numbers above 0, at least {@link LEAST_PAIRS} pairs
 * @returns {{ ratio: number, low: number, high: number }}
 */
export function ratioOf (pairs) {
  const logs = pairs.map(([before, after]) => Math.log(after / before))
  const averages = logs.flatMap((one, index) => logs.slice(index).map(other => (one + other) / 2)).sort((one, other) => one - other)
  const left = outside(logs.length)
  return { ratio: Math.exp(median(averages)), low: Math.exp(averages[left - 1]), high: Math.exp(averages.at(-left)) }
}

/** The rank from either end of the averages at which the interval begins. */
function outside (count) {
  // How many of the 2 ** count choices of signs have each sum of positive ranks.
  let ways = [1]
  for (let rank = 1; rank <= count; rank++) {
    ways = Array.from({ length: ways.length + rank }, (_, sum) => (ways[sum] ?? 0) + (ways[sum - rank] ?? 0))
  }
  let [rank, risk] = [0, ways[0] / 2 ** count]
  while (risk <= RISK) risk += ways[++rank] / 2 ** count
  return rank
}
